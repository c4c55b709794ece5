/* pstat-report: reads recordings. */
int main(void)
{
	return 2;
}
