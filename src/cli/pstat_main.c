/* pstat: counts events and writes recordings. */
int main(void)
{
	return 2;
}
