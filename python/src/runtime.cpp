// SPDX-License-Identifier: Apache-2.0
#include "core.hpp"

#include <chrono>
#include <thread>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace hanji
{
namespace
{

[[noreturn]] void raise_unusable()
{
    raise(PyExc_RuntimeError,
          "another thread used this object when the process was forked, so it is unusable in this "
          "child: make a new object here, or start processes with the method spawn");
}

// Serialises the first use of locks in a child process.
std::mutex adopting;
std::atomic<uint64_t> forks{0};

#ifndef _WIN32
void before_fork()
{
    adopting.lock();
}

void in_parent()
{
    adopting.unlock();
}

void in_child()
{
    forks++;
    adopting.unlock();
}

// Failure, for want of memory, leaves children as they would be without the handlers.
[[maybe_unused]] const int registered = pthread_atfork(before_fork, in_parent, in_child);
#endif

bool is_main_interpreter()
{
    return PyInterpreterState_Get() == PyInterpreterState_Main();
}

int require_main_interpreter(PyObject *)
{
    if (is_main_interpreter())
        return 0;
    PyErr_SetString(PyExc_ImportError,
                    "hanji works in the main interpreter only, not in a subinterpreter: import it "
                    "there, or use a process of its own (multiprocessing with the method spawn)");
    return -1;
}

// The definition of a module with one more slot, in front of the others.
PyModuleDef *with_check(const PyModuleDef &made)
{
    size_t count = 0;
    while (made.m_slots && made.m_slots[count].slot != 0)
        count++;
    auto *slots =
        static_cast<PyModuleDef_Slot *>(PyMem_Calloc(count + 2, sizeof(PyModuleDef_Slot)));
    auto *checked = static_cast<PyModuleDef *>(PyMem_Calloc(1, sizeof(PyModuleDef)));
    if (!slots || !checked) {
        PyMem_Free(slots);
        PyMem_Free(checked);
        PyErr_NoMemory();
        return nullptr;
    }
    slots[0] = {Py_mod_exec, reinterpret_cast<void *>(&require_main_interpreter)};
    for (size_t i = 0; i < count; i++)
        slots[i + 1] = made.m_slots[i];
    *checked = made;
    checked->m_slots = slots;
    return checked;
}

} // namespace

void wait_for_process_end() noexcept
{
    for (;;)
        std::this_thread::sleep_for(std::chrono::hours(1));
}

void take_gil(PyThreadState *state)
{
    ThreadEndGuard guard;
    PyEval_RestoreThread(state);
    guard.returned();
}

bool is_shutting_down()
{
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

uint64_t fork_count()
{
    return forks.load(std::memory_order_relaxed);
}

void Lock::adopt()
{
    // Every thread of the child comes by here before its first lock(), so a mutex that is locked
    // now was locked by a thread of the parent.
    const std::lock_guard<std::mutex> held(adopting);
    if (fork_count_.load(std::memory_order_relaxed) == fork_count())
        return;
    if (mutex_.try_lock()) {
        mutex_.unlock();
        fork_count_.store(fork_count(), std::memory_order_release);
        return;
    }
    raise_unusable();
}

void UseCount::begin()
{
    if (fork_count_ != fork_count()) {
        const std::lock_guard<std::mutex> held(adopting);
        if (fork_count_ != fork_count() && users_ != 0) // of the parent, so they never end
            raise_unusable();
        fork_count_ = fork_count();
    }
    users_++;
}

PyObject *for_main_interpreter(PyObject *(*init)()) noexcept
{
    static PyModuleDef *definition; // never freed, as modules refer to it
    if (require_main_interpreter(nullptr) != 0)
        return nullptr;
    if (definition)
        return reinterpret_cast<PyObject *>(definition);
    PyObject *made = init();
    if (!made || !PyObject_TypeCheck(made, &PyModuleDef_Type))
        return made;
    definition = with_check(*reinterpret_cast<PyModuleDef *>(made));
    return reinterpret_cast<PyObject *>(definition);
}

} // namespace hanji
