/* A disk that fails on command: loaded before the C library into a server under test, it stands between the server
 * and the files below DISK_ROOT. The words of the file DISK_CONTROL are shared with the test:
 *
 *   steps      steps so far: writes, truncations, flushes, and created names
 *   full_from  from this step on every step fails with ENOSPC; 0 is never. Every other time the first one is a write
 *              of half the bytes, as a disk does that has room for half of them
 *   failed     steps that failed so
 *   kill_at    the process is killed at this step, every other time after half a write; 0 is never
 *   clock_s    seconds by which the wall clock is wrong
 *   in_indexes whether full_from counts only for files in the folder of the indexes
 *
 * With DISK_TRACE, every step and every response sent by a socket is written into that file, in order, so
 * that the test can build what a power cut would leave. A step and its record are one: nothing comes between them.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
    _Atomic uint64_t steps, full_from, failed, kill_at;
    _Atomic int64_t clock_s;
    _Atomic uint64_t in_indexes;
};

enum { HANDLES = 4096, INODES = 65536, RESPONSE_BYTES = 512, NAMES = 65536 };

static struct control none;
static struct control *control = &none;
static const char *root;
static size_t root_length;
static int trace = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
/* What each handle is open on: the number of a file below the root, or 0. */
static uint64_t files[HANDLES];
/* The number of the file behind an inode. A number is given once, an inode again and again. */
static struct { ino_t inode; uint64_t file; } numbers[INODES];
static uint64_t last_file;
/* Whether each handle is open on a file of an index. */
static char of_index[HANDLES];

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

__attribute__((constructor)) static void begin(void) {
    root = getenv("DISK_ROOT");
    const char *shared = getenv("DISK_CONTROL"), *traced = getenv("DISK_TRACE");
    if (!root || !shared) return;
    root_length = strlen(root);
    int handle = syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC);
    void *words = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    if (words == MAP_FAILED) abort();
    control = words;
    if (traced) trace = syscall(SYS_openat, AT_FDCWD, traced, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int below_root(const char *path) {
    return root && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

static int below_indexes(const char *path) {
    static const char folder[] = "/indexes/";
    return below_root(path) && !strncmp(path + root_length, folder, sizeof folder - 1);
}

/* The place of an inode in the table. */
static size_t place(ino_t inode) {
    size_t at = (inode * 2654435761u) % INODES;
    while (numbers[at].file && numbers[at].inode != inode) at = (at + 1) % INODES;
    return at;
}

static void record(char kind, uint64_t file, uint64_t offset, const void *bytes, size_t length) {
    if (trace < 0) return;
    struct __attribute__((packed)) { char kind; uint64_t file, offset; uint32_t length; } head
        = {kind, file, offset, (uint32_t)length};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, length}};
    if (syscall(SYS_writev, trace, parts, 2) != (long)(sizeof head + length)) abort();
}

/* Counts a step. Returns whether there is space for it; `half` is set if there is for half of it, or if the process
 * is to be killed after half of it. */
static int step(int *half, int in_index) {
    uint64_t now = ++control->steps, full = control->full_from, kill_at = control->kill_at;
    *half = 0;
    if (kill_at && now >= kill_at) {
        if (now & 1) *half = 1;
        else kill(getpid(), SIGKILL);
    }
    if (!full || now < full || (control->in_indexes && !in_index)) return 1;
    ++control->failed;
    if (now == full && (now & 1)) return *half = 1;
    errno = ENOSPC;
    return 0;
}

static void die_if_due(void) {
    if (control->kill_at && control->steps >= control->kill_at) kill(getpid(), SIGKILL);
}

static uint64_t file_of(int handle) {
    return handle >= 0 && handle < HANDLES ? files[handle] : 0;
}

static int in_index(int handle) {
    return handle >= 0 && handle < HANDLES && of_index[handle];
}

/* Records a response before it is sent. */
static void response(int handle, const void *bytes, size_t length) {
    struct stat about;
    if (trace < 0 || fstat(handle, &about) || !S_ISSOCK(about.st_mode)) return;
    pthread_mutex_lock(&order);
    record('A', 0, 0, bytes, length < RESPONSE_BYTES ? length : RESPONSE_BYTES);
    pthread_mutex_unlock(&order);
}

static ssize_t write_at(int handle, const void *bytes, size_t length, off64_t offset) {
    int half;
    pthread_mutex_lock(&order);
    ssize_t written = -1;
    if (step(&half, in_index(handle))) {
        if (half && length > 1) length /= 2;
        int here = offset < 0;
        if (here) offset = lseek64(handle, 0, SEEK_CUR);
        int appends = fcntl(handle, F_GETFL) & O_APPEND;
        struct stat about;
        if (appends && !fstat(handle, &about)) offset = about.st_size;
        written = here ? syscall(SYS_write, handle, bytes, length) : syscall(SYS_pwrite64, handle, bytes, length, offset);
        if (written > 0) record('W', file_of(handle), offset, bytes, written);
        die_if_due();
    }
    int because = errno;
    pthread_mutex_unlock(&order);
    errno = because;
    return written;
}

ssize_t write(int handle, const void *bytes, size_t length) {
    if (file_of(handle)) return write_at(handle, bytes, length, -1);
    response(handle, bytes, length);
    return syscall(SYS_write, handle, bytes, length);
}

ssize_t pwrite64(int handle, const void *bytes, size_t length, off64_t offset) {
    if (file_of(handle)) return write_at(handle, bytes, length, offset);
    return syscall(SYS_pwrite64, handle, bytes, length, offset);
}

ssize_t pwrite(int handle, const void *bytes, size_t length, off_t offset) {
    return pwrite64(handle, bytes, length, offset);
}

ssize_t writev(int handle, const struct iovec *parts, int count) {
    if (!file_of(handle)) {
        char start[RESPONSE_BYTES];
        size_t length = 0;
        for (int at = 0; at < count && length < sizeof start; at++) {
            size_t more = parts[at].iov_len < sizeof start - length ? parts[at].iov_len : sizeof start - length;
            memcpy(start + length, parts[at].iov_base, more);
            length += more;
        }
        response(handle, start, length);
        return syscall(SYS_writev, handle, parts, count);
    }
    /* Only the first part: a caller must continue after fewer bytes than it requested. */
    for (int at = 0; at < count; at++)
        if (parts[at].iov_len) return write_at(handle, parts[at].iov_base, parts[at].iov_len, -1);
    return 0;
}

ssize_t send(int handle, const void *bytes, size_t length, int flags) {
    response(handle, bytes, length);
    return syscall(SYS_sendto, handle, bytes, length, flags, NULL, 0);
}

int ftruncate64(int handle, off64_t length) {
    if (!file_of(handle)) return syscall(SYS_ftruncate, handle, length);
    int half, done = -1;
    pthread_mutex_lock(&order);
    if (step(&half, in_index(handle))) {
        done = syscall(SYS_ftruncate, handle, length);
        if (!done) record('T', file_of(handle), length, NULL, 0);
        die_if_due();
    }
    int because = errno;
    pthread_mutex_unlock(&order);
    errno = because;
    return done;
}

int ftruncate(int handle, off_t length) { return ftruncate64(handle, length); }

/* The names in a directory, each as its kind, its inode or file, and itself. */
static void record_names(char kind, const char *path, ino_t inode) {
    static char names[NAMES];
    size_t length = 0;
    DIR *directory = trace < 0 ? NULL : opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        int is_directory = entry->d_type == DT_DIR;
        uint64_t number = is_directory ? entry->d_ino : numbers[place(entry->d_ino)].file;
        length += snprintf(names + length, NAMES - length, "%c %llu %s\n", is_directory ? 'd' : 'f',
                           (unsigned long long)number, entry->d_name);
        if (length >= NAMES) abort();
    }
    if (directory) closedir(directory);
    record(kind, inode, 0, names, length);
}

static int flush(int handle, long call) {
    struct stat about;
    int is_directory = !file_of(handle) && root && !fstat(handle, &about) && S_ISDIR(about.st_mode);
    if (!file_of(handle) && !is_directory) return syscall(call, handle);
    int half, done = -1, of_an_index = in_index(handle);
    char path[64], folder[4096] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
    if (is_directory && readlink(path, folder, sizeof folder - 1) > 0) of_an_index = below_indexes(folder);
    pthread_mutex_lock(&order);
    if (step(&half, of_an_index)) {
        done = syscall(call, handle);
        if (!done && is_directory) record_names('D', path, about.st_ino);
        if (!done && !is_directory) record('S', file_of(handle), 0, NULL, 0);
        die_if_due();
    }
    int because = errno;
    pthread_mutex_unlock(&order);
    errno = because;
    return done;
}

int fsync(int handle) { return flush(handle, SYS_fsync); }
int fdatasync(int handle) { return flush(handle, SYS_fdatasync); }

/* Records the names beside `path`, which no flush may have made last yet. */
static void record_names_beside(const char *path) {
    char parent[4096];
    struct stat about;
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = 0;
    if (!stat(parent, &about)) record_names('N', parent, about.st_ino);
}

static int opened(int at, const char *path, int flags, mode_t mode) {
    if (!below_root(path)) {
        int handle = syscall(SYS_openat, at, path, flags, mode);
        if (handle >= 0 && handle < HANDLES) files[handle] = of_index[handle] = 0;
        return handle;
    }
    int half, handle = -1;
    struct stat about;
    pthread_mutex_lock(&order);
    int is_new = (flags & O_CREAT) && lstat(path, &about) && errno == ENOENT;
    if (!is_new || step(&half, below_indexes(path))) {
        handle = syscall(SYS_openat, at, path, flags, mode);
        if (handle >= HANDLES) abort();
        if (handle >= 0) files[handle] = of_index[handle] = 0;
        if (handle >= 0 && !fstat(handle, &about) && S_ISREG(about.st_mode)) {
            size_t there = place(about.st_ino);
            if (is_new || !numbers[there].file) {
                numbers[there].inode = about.st_ino;
                numbers[there].file = ++last_file;
                record('C', last_file, 0, path + root_length, strlen(path + root_length));
                record_names_beside(path);
            }
            files[handle] = numbers[there].file;
            of_index[handle] = below_indexes(path);
            if ((flags & O_TRUNC) && !is_new) record('T', files[handle], 0, NULL, 0);
        }
        if (is_new) die_if_due();
    }
    int because = errno;
    pthread_mutex_unlock(&order);
    errno = because;
    return handle;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & O_CREAT) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }

int close(int handle) {
    if (handle >= 0 && handle < HANDLES) files[handle] = of_index[handle] = 0;
    return syscall(SYS_close, handle);
}

/* A name that is created or moved: a step that needs space. */
static int named(const char *path, int new_directory, int done_by(const char *, const char *, mode_t), const char *from,
                 mode_t mode) {
    if (!below_root(path)) return done_by(from, path, mode);
    int half, done = -1;
    struct stat about;
    pthread_mutex_lock(&order);
    if (step(&half, below_indexes(path))) {
        done = done_by(from, path, mode);
        if (!done && new_directory && !lstat(path, &about)) record('M', about.st_ino, 0, path + root_length, strlen(path + root_length));
        die_if_due();
    }
    int because = errno;
    pthread_mutex_unlock(&order);
    errno = because;
    return done;
}

static int make_directory(const char *from, const char *path, mode_t mode) {
    (void)from;
    return syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

static int move(const char *from, const char *path, mode_t mode) {
    (void)mode;
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, path, 0);
}

static int join(const char *from, const char *path, mode_t mode) {
    (void)mode;
    return syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) { return named(path, 1, make_directory, NULL, mode); }
int rename(const char *from, const char *path) { return named(path, 0, move, from, 0); }
int link(const char *from, const char *path) { return named(path, 0, join, from, 0); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    static __typeof__(&clock_gettime) real_clock;
    if (!real_clock) real_clock = REAL(clock_gettime);
    int done = real_clock(clock, time);
    if (!done && clock == CLOCK_REALTIME) time->tv_sec += control->clock_s;
    return done;
}
