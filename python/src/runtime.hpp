// SPDX-License-Identifier: Apache-2.0
// The process around the extension modules: the GIL while the interpreter shuts down, locks across
// fork(), and subinterpreters.
#pragma once

#include <Python.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace hanji
{

// Blocks the thread until the process ends.
[[noreturn]] void wait_for_process_end() noexcept;

// Guards a call into Python that may take the GIL. When a thread asks for the GIL while the
// interpreter shuts down, Python up to 3.13 ends the thread with pthread_exit(), which glibc
// implements by unwinding the stack. The frames of nanobind are noexcept, so the unwinding would
// reach std::terminate(), and the process would abort with keys in its core file. The destructor
// stops the unwinding here instead: the thread blocks until the process ends, which is what Python
// 3.14 does itself. A destructor and not a catch clause, because libc++abi runs only clean-ups in a
// forced unwinding.
//
// The guarded call must not throw, and must leave nothing on the stack that has to be destroyed.
class ThreadEndGuard
{
  public:
    ThreadEndGuard() = default;
    ThreadEndGuard(const ThreadEndGuard &) = delete;
    ThreadEndGuard &operator=(const ThreadEndGuard &) = delete;
    ~ThreadEndGuard()
    {
        if (!returned_)
            wait_for_process_end();
    }
    void returned()
    {
        returned_ = true;
    }

  private:
    bool returned_ = false;
};

template <class Call> auto guarded(Call call)
{
    ThreadEndGuard guard;
    const auto result = call();
    guard.returned();
    return result;
}

// PyEval_RestoreThread(), guarded.
void take_gil(PyThreadState *state);

// Whether the interpreter shuts down, or has.
bool is_shutting_down();

// How many times this process or its ancestors were forked; a child has a number that its parent
// has not.
uint64_t fork_count();

// The mutex of an object. A child process inherits it locked when another thread of the parent held
// it at the moment of the fork, and nobody would ever unlock it; the object may also be half
// changed. `require_usable` finds that out and raises RuntimeError.
class Lock
{
  public:
    Lock() : fork_count_(fork_count())
    {
    }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;

    // Call before every lock() and try_lock(), with the GIL.
    void require_usable()
    {
        if (fork_count_.load(std::memory_order_acquire) != fork_count())
            adopt();
    }
    void lock()
    {
        mutex_.lock();
    }
    bool try_lock()
    {
        return mutex_.try_lock();
    }
    void unlock()
    {
        mutex_.unlock();
    }

  private:
    void adopt();

    std::mutex mutex_;
    std::atomic<uint64_t> fork_count_; // of the process that used the mutex last
};

// Counts the calls of Python that change an object which is not ours and has a lock of its own, such
// as a hash object of hashlib. In a child process that was forked during such a call, that lock is
// never released; `begin` raises RuntimeError there instead of waiting. Both with the GIL.
class UseCount
{
  public:
    UseCount() : fork_count_(fork_count())
    {
    }
    UseCount(const UseCount &) = delete;
    UseCount &operator=(const UseCount &) = delete;
    void begin();
    void end()
    {
        users_--;
    }

  private:
    std::atomic<uint64_t> fork_count_, users_{0};
};

// What a PyInit function returns, for the main interpreter only: in others ImportError, before
// nanobind replaces the types of the main interpreter by those of the new one. From Python 3.13 on
// PyInit functions run in the main interpreter, so the first Py_mod_exec slot checks, too. `init`
// is what NB_MODULE defines.
PyObject *for_main_interpreter(PyObject *(*init)()) noexcept;

} // namespace hanji
