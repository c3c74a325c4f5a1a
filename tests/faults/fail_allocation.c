/* Makes one allocation of a program fail: LD_PRELOAD=libfail_allocation.so FAIL_ALLOCATION=N driftless ...
   N counts from 1; malloc, calloc, realloc and what operator new calls are counted. FAIL_ALLOCATION=count=FILE writes
   into FILE how many there were. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_ulong seen;
static unsigned long fail_at;
static const char* count_file;
static pid_t owner;

__attribute__((constructor)) static void begin(void) {
  const char* wish = getenv("FAIL_ALLOCATION");
  owner = getpid();
  if (wish && strncmp(wish, "count=", 6) == 0)
    count_file = wish + 6;
  else if (wish)
    fail_at = strtoul(wish, NULL, 10);
}

__attribute__((destructor)) static void end(void) {
  if (!count_file || getpid() != owner) return;
  char digits[24];
  size_t n = sizeof digits;
  unsigned long left = seen;
  do digits[--n] = (char)('0' + left % 10);
  while (left /= 10);
  const int file = open(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0 && write(file, digits + n, sizeof digits - n) > 0) close(file);
}

static int fails(void) {
  const unsigned long number = atomic_fetch_add(&seen, 1) + 1;
  if (number != fail_at) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }
void* memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
