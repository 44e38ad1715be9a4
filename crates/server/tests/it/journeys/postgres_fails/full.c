/* A full disk for the tables of a database server, loaded before the C library: while the file FULL_WHILE exists, no file below
 * a folder "base" grows. Its log has a disk of its own, as it should. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int grows(int handle, off_t end) {
    const char *marker = getenv("FULL_WHILE");
    char link[32], path[4096];
    struct stat now;
    if (!marker || access(marker, F_OK)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || fstat(handle, &now)) return 0;
    path[length] = 0;
    return strstr(path, "/base/") && end > now.st_size;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite(int handle, const void *bytes, size_t count, off_t at) {
    if (grows(handle, at + (off_t)count)) return errno = ENOSPC, -1;
    return REAL(pwrite)(handle, bytes, count, at);
}

ssize_t pwrite64(int handle, const void *bytes, size_t count, off64_t at) {
    if (grows(handle, at + (off_t)count)) return errno = ENOSPC, -1;
    return REAL(pwrite64)(handle, bytes, count, at);
}

ssize_t pwritev(int handle, const struct iovec *parts, int count, off_t at) {
    if (grows(handle, at + 1)) return errno = ENOSPC, -1;
    return REAL(pwritev)(handle, parts, count, at);
}

int posix_fallocate(int handle, off_t at, off_t count) {
    if (grows(handle, at + count)) return ENOSPC;
    return REAL(posix_fallocate)(handle, at, count);
}
