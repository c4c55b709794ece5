# The libraries pstat stands on, each with the Debian package that has it.
AC_DEFUN([PSTAT_LIBRARY], [
	PKG_CHECK_MODULES([$1], [$2], [], [
		AC_MSG_ERROR([$2 is missing: install $3 (Debian, Ubuntu) or run ./bootstrap, which does it])
	])
])

AC_DEFUN([PSTAT_LIBRARIES], [
PKG_PROG_PKG_CONFIG
AS_IF([test -z "$PKG_CONFIG"], [AC_MSG_ERROR([pkg-config is missing: install pkg-config])])
PSTAT_LIBRARY([ZSTD], [libzstd >= 1.4.0], [libzstd-dev])
PSTAT_LIBRARY([ELF], [libelf], [libelf-dev])
PSTAT_LIBRARY([JSON], [json-c >= 0.14], [libjson-c-dev])

# libpfm4 comes without a .pc file.
AC_CHECK_HEADER([perfmon/pfmlib_perf_event.h], [],
	[AC_MSG_ERROR([libpfm4 is missing: install libpfm4-dev])])
AC_CHECK_LIB([pfm], [pfm_get_os_event_encoding], [PFM_LIBS=-lpfm],
	[AC_MSG_ERROR([libpfm4 is missing: install libpfm4-dev])])
AC_SUBST([PFM_LIBS])

PKG_CHECK_MODULES([CHECK], [check >= 0.15], [have_check=yes], [have_check=no])
AM_CONDITIONAL([HAVE_CHECK], [test "x$have_check" = xyes])
AC_CHECK_PROG([have_perf], [perf], [yes], [no])
])

AC_DEFUN([PSTAT_SUMMARY], [
AC_MSG_NOTICE([
pstat $PACKAGE_VERSION
  compiler            $CC ($CFLAGS)
  prefix              $prefix
  events              libpfm4
  compression         libzstd $($PKG_CONFIG --modversion libzstd)
  build ids           libelf $($PKG_CONFIG --modversion libelf)
  json                json-c $($PKG_CONFIG --modversion json-c)
  unit tests (check)  $have_check
  tests against perf  $have_perf
  warnings as errors  $enable_werror
  sanitizers          $enable_sanitizers
  fuzz targets        $enable_fuzzers])
AS_IF([test "x$have_check" = xno],
	[AC_MSG_WARN([without check (package "check") make check runs no unit tests])])
])
