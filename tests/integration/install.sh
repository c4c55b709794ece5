# Proves that what is installed is what programs need: <pstat/control.h> is found through pkg-config, the examples build with
# it alone, and the installed pstat counts their windows.
. "$PSTAT_SRCDIR/tests/lib/session.sh"
need cc c++ pkg-config python3

root=$dir/root
begin "make install"
unset MAKEFLAGS MFLAGS MAKELEVEL
gives 0 make -C "$PSTAT_BUILDDIR" install DESTDIR="$root"
PKG_CONFIG_PATH=$(dirname "$(find "$root" -name pstat.pc)")
export PKG_CONFIG_PATH
prefix=$(pkg-config --variable=prefix pstat)
flags=$(pkg-config --define-variable=prefix="$root$prefix" --cflags pstat)
[ "pstat $(pkg-config --modversion pstat)" = "$("$root$prefix/bin/pstat" --version | head -n 1)" ] ||
	fail "pstat.pc and pstat --version differ"

begin "the examples build with what pkg-config says, and nothing else"
# shellcheck disable=SC2086
gives 0 "${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror $flags -o regions "$PSTAT_SRCDIR/doc/examples/regions.c"
# shellcheck disable=SC2086
gives 0 "${CXX:-c++}" -std=c++11 -Wall -Wextra -Wpedantic -Werror $flags -o guard "$PSTAT_SRCDIR/doc/examples/guard.cc"

begin "the installed pstat and they understand each other"
for program in regions guard; do
	gives 0 "$root$prefix/bin/pstat" record -D -1 --workload-control -e task-clock -o $program.data -- ./$program
	holds $program.data 'len(windows) == 3' 'adds_up'
done
