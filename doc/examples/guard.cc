/*
 * Regions of a C++ program: a window lives as long as its guard, and ends with an exception too.
 *
 *	c++ -std=c++11 -o guard guard.cc
 *	pstat record -D -1 --workload-control -o guard.data -- ./guard
 *	pstat-report guard.data
 */
#include <pstat/control.h>

#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

static std::map<std::string, int> count_words(const std::string &text)
{
	pstat::window counted("count words");
	std::map<std::string, int> counts;
	std::istringstream words(text);
	std::string word;

	while (words >> word)
		counts[word]++;
	if (counts.empty())
		throw std::invalid_argument("no words");
	return counts; /* the window ends here, or where something was thrown */
}

int main()
{
	const int rc = pstat_open();

	if (rc < 0) {
		std::cerr << "guard: no control over pstat: " << std::strerror(-rc) << '\n';
		return 1;
	}
	std::string text;

	for (int i = 0; i < 20000; i++) /* not counted */
		text += "word" + std::to_string(i % 997) + ' ';
	std::cout << count_words(text).size() << " words\n";
	try {
		count_words("");
	} catch (const std::invalid_argument &error) {
		pstat_mark(error.what());
	}
	PSTAT_WINDOW("print")
		std::cout << text.size() << " bytes\n";
	pstat_close();
	return 0;
}
