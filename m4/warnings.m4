# PSTAT_WARNINGS: each warning the compiler knows goes into WARNING_CFLAGS.
AC_DEFUN([PSTAT_WARNING], [
	AS_VAR_PUSHDEF([known], [pstat_cv_flag_$1])
	AC_CACHE_CHECK([whether $CC knows $1], [known], [
		saved=$CFLAGS
		CFLAGS="$CFLAGS -Werror $1"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [AS_VAR_SET([known], [yes])], [AS_VAR_SET([known], [no])])
		CFLAGS=$saved
	])
	AS_VAR_IF([known], [yes], [WARNING_CFLAGS="$WARNING_CFLAGS $1"])
	AS_VAR_POPDEF([known])
])

AC_DEFUN([PSTAT_WARNINGS], [
WARNING_CFLAGS=
m4_foreach_w([flag], [-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wvla -Wmissing-prototypes
	-Wstrict-prototypes -Wformat=2 -Wcast-qual -Wpointer-arith -Wundef], [PSTAT_WARNING(flag)])
AS_IF([test "x$enable_werror" = xyes], [WARNING_CFLAGS="$WARNING_CFLAGS -Werror"])
AC_SUBST([WARNING_CFLAGS])
])
