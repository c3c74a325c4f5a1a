// One object for each thread, made where the thread first asks for it. A thread_local with a destructor does the same,
// but where memory ends just then, the C library ends the program; here it is bad_alloc like anywhere else.
#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace driftless {

namespace detail {

// Whose objects are deleted when their threads end. The few keys of this library fit into what each thread has anyway.
template <class T>
struct ThreadKey {
  pthread_key_t key;
  ThreadKey() {
    if (pthread_key_create(&key, [](void* object) { delete static_cast<T*>(object); }) != 0) throw std::bad_alloc();
  }
};

template <class T>
T* make_for_thread() {
  static const ThreadKey<T> key;
  auto object = std::make_unique<T>();
  if (pthread_setspecific(key.key, object.get()) != 0) throw std::bad_alloc();
  return object.release();
}

}  // namespace detail

template <class T>
T& per_thread() {
  static constinit thread_local T* mine = nullptr;
  if (mine == nullptr) mine = detail::make_for_thread<T>();
  return *mine;
}

}  // namespace driftless
