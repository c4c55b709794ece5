# The --enable switches.
AC_DEFUN([PSTAT_OPTIONS], [
AC_ARG_ENABLE([werror],
	[AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors (for development)])],
	[], [enable_werror=no])
AC_ARG_ENABLE([sanitizers],
	[AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UndefinedBehaviorSanitizer])],
	[], [enable_sanitizers=no])
AC_ARG_ENABLE([fuzzers],
	[AS_HELP_STRING([--enable-fuzzers], [build the fuzz targets with libFuzzer (needs CC=clang)])],
	[], [enable_fuzzers=no])
AS_IF([test "x$enable_sanitizers" = xyes || test "x$enable_fuzzers" = xyes], [
	SANITIZER_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
])
AS_IF([test "x$enable_fuzzers" = xyes], [SANITIZER_CFLAGS="$SANITIZER_CFLAGS -fsanitize=fuzzer-no-link"])
AC_SUBST([SANITIZER_CFLAGS])
AM_CONDITIONAL([ENABLE_FUZZERS], [test "x$enable_fuzzers" = xyes])
AM_CONDITIONAL([ENABLE_SANITIZERS], [test "x$enable_sanitizers" = xyes])
])
