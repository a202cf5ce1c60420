// What CUDA kernels that stay, in crews, take for granted, with a thread of the host for each of theirs.
//
// Copies come late and in any order, and what they go to is garbage until then; threads dawdle at barriers. So
// a kernel that does not wait where it must is wrong here more often than on a device.

#include <barrier>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

typedef unsigned int u32;
typedef unsigned long long u64;
struct float2 { float x, y; };
struct double2 { double x, y; };
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline double2 make_double2(double x, double y) { return {x, y}; }
static inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
template <class T> static inline T min(T a, T b) { return a < b ? a : b; }
template <class T> static inline void __stcs(T* place, T value) { *place = value; }
template <class T> static inline T __ldcs(const T* place) { return *place; }
template <class T> static inline T __ldcg(const T* place) { return *place; }
#define __restrict__
#define __grid_constant__
#define __align__(bytes) alignas(bytes)
#define FUNCTION static inline
#define __builtin_assume(condition)

// No run takes so long unless it waits for what does not come.
const std::chrono::seconds PATIENCE(10);
static int most_delay, seed;

[[noreturn]] static void fail(const char* why)
{
    fprintf(stderr, "%s\n", why);
    fflush(stderr);
    _exit(1);
}

// A work-group.
struct Group {
    std::vector<char> memory;
    char* local;
    size_t bytes;
    std::barrier<> barrier;
    std::vector<std::unique_ptr<std::barrier<>>> warps;
    std::vector<u64> given;
    Group(int threads, size_t bytes) : memory(bytes + 128, -1), bytes(bytes), barrier(threads), given(threads)
    {
        local = (char*)(((u64)memory.data() + 127) / 128 * 128);
        for (int first = 0; first < threads; first += 32) warps.emplace_back(new std::barrier<>(std::min(threads - first, 32)));
    }
};
struct Index { u32 x; };
static thread_local Index threadIdx, blockIdx, blockDim, gridDim;
static thread_local Group* group;
static thread_local std::minstd_rand chance;

static void dawdle(int one_in)
{
    if (chance() % one_in == 0) std::this_thread::sleep_for(std::chrono::microseconds(chance() % (2 * most_delay)));
}
static void __syncthreads()
{
    if (threadIdx.x == 0) dawdle(16);
    group->barrier.arrive_and_wait();
    if (threadIdx.x % 32 == 31) dawdle(4);
}
static void __syncwarp() { group->warps[threadIdx.x / 32]->arrive_and_wait(); }

// What a thread of the same warp gives.
template <class T> static T __shfl_xor_sync(u32, T x, u32 distance)
{
    auto& given = group->given;
    std::memcpy(&given[threadIdx.x], &x, sizeof x);
    __syncwarp();
    std::memcpy(&x, &given[threadIdx.x ^ distance], sizeof x);
    __syncwarp();
    return x;
}

// An address in local memory.
static u64 at(const void* place) { return (u64)place; }

// PTX's mbarrier: a phase ends when all arrivals and all bytes that were announced have come.
struct Count {
    u32 arrivals;
    long missing, bytes = 0;
    u32 phase = 0;
    std::condition_variable changed;
    Count(u32 arrivals) : arrivals(arrivals), missing(arrivals) {}
};
static std::mutex count_mutex;
static std::map<u64, Count> counts;
static void change_count(u64 place, long arrivals, long bytes)
{
    std::lock_guard<std::mutex> lock(count_mutex);
    auto found = counts.find(place);
    if (found == counts.end()) fail("a count that has not begun");
    Count& count = found->second;
    count.missing -= arrivals;
    count.bytes += bytes;
    if (count.missing < 0) fail("more arrivals than there can be");
    if (count.missing > 0 || count.bytes != 0) return;
    count.phase ^= 1;
    count.missing = count.arrivals;
    count.changed.notify_all();
}
static void count_begin(u64 place, u32 arrivals)
{
    std::lock_guard<std::mutex> lock(count_mutex);
    if (!counts.try_emplace(place, arrivals).second) fail("a count begins twice");
}
static void count_arrive(u64 place) { change_count(place, 1, 0); }
static void count_expect(u64 place, u32 bytes) { change_count(place, 1, bytes); }
static void count_wait(u64 place, u32 phase)
{
    std::unique_lock<std::mutex> lock(count_mutex);
    Count& count = counts.at(place);
    if (!count.changed.wait_for(lock, PATIENCE, [&] { return count.phase != phase; })) fail("a wait without end");
}

// What happens later.
struct Event {
    std::chrono::steady_clock::time_point when;
    std::function<void()> what;
    bool operator<(const Event& other) const { return when > other.when; }
};
static std::mutex event_mutex;
static std::condition_variable events_changed;
static std::priority_queue<Event> events;
static void later(std::function<void()> what)
{
    static std::minstd_rand delay(1);
    std::lock_guard<std::mutex> lock(event_mutex);
    events.push({std::chrono::steady_clock::now() + std::chrono::microseconds(delay() % most_delay), what});
    events_changed.notify_one();
}
static void run_events()
{
    std::unique_lock<std::mutex> lock(event_mutex);
    for (;;) {
        events_changed.wait(lock, [] { return !events.empty(); });
        const Event next = events.top();
        if (std::chrono::steady_clock::now() < next.when) {
            events_changed.wait_until(lock, next.when);
            continue;
        }
        events.pop();
        lock.unlock();
        next.what();
        lock.lock();
    }
}

// Bulk copies to local memory: of a contiguous range, and of a box of the array that the launch has a map of.
static void begin_copy(u64 to, size_t bytes, size_t alignment)
{
    if (to < (u64)group->local || to + bytes > (u64)group->local + group->bytes) fail("a copy out of bounds");
    if (to % alignment != 0 || bytes % 16 != 0) fail("a copy that is not aligned");
    memset((void*)to, -1, bytes);
}
static void copy_range(u64 to, const void* from, u32 bytes, u64 count)
{
    begin_copy(to, bytes, 16);
    if ((u64)from % 16 != 0) fail("a copy from what is not aligned");
    later([=] {
        memcpy((void*)to, from, bytes);
        change_count(count, 0, -(long)bytes);
    });
}
struct Dimension { u64 n, distance, of_box; };
static const char* array;
static std::vector<Dimension> dimensions;
static void copy_box(u64 to, const void*, std::vector<u32> start, u64 count)
{
    const size_t word = 8;
    size_t words = 1;
    for (const Dimension& d : dimensions) words *= d.of_box;
    if (start.size() != dimensions.size()) fail("a box of other dimensions than the array");
    begin_copy(to, words * word, 128);
    later([=] {
        for (size_t w = 0; w < words; w++) {
            size_t rest = w;
            const char* from = array;
            for (size_t d = 0; d < dimensions.size(); d++) {
                const u64 index = start[d] + rest % dimensions[d].of_box;
                if (index >= dimensions[d].n) fail("a box out of the array");
                from += index * dimensions[d].distance;
                rest /= dimensions[d].of_box;
            }
            memcpy((char*)to + w * word, from, word);
        }
        change_count(count, 0, -(long)(words * word));
    });
}
static void add_one(u32* place) { __atomic_add_fetch(place, 1, __ATOMIC_RELEASE); }
template <class T> static T look_at(const T* place)
{
    static thread_local auto since = std::chrono::steady_clock::now();
    static thread_local T before = 0;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    const T found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (found != before) since = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - since > PATIENCE) fail("a crew waits without end");
    return before = found;
}

// Runs a kernel.
template <class Kernel> static void launch(u32 groups, u32 threads, size_t bytes, Kernel kernel)
{
    counts.clear();
    std::vector<std::unique_ptr<Group>> all;
    std::vector<std::thread> running;
    for (u32 g = 0; g < groups; g++) all.emplace_back(new Group(threads, bytes));
    for (u32 g = 0; g < groups; g++)
        for (u32 t = 0; t < threads; t++)
            running.emplace_back([&, g, t] {
                group = all[g].get();
                threadIdx = {t}, blockIdx = {g}, blockDim = {threads}, gridDim = {groups};
                // Neighbouring seeds alone would begin alike.
                chance.seed((seed * groups + g) * threads + t + 1), chance.discard(16);
                kernel();
            });
    for (std::thread& thread : running) thread.join();
}
