typedef unsigned int u32;
typedef unsigned long long u64;
#define FUNCTION static __device__ __forceinline__
#define mul_hi64 __umul64hi
#if __CUDA_ARCH__ >= 900
#define LAUNCH_NEXT asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#define LAUNCH_WAIT asm volatile("griddepcontrol.wait;" ::: "memory");
#else
#define LAUNCH_NEXT
#define LAUNCH_WAIT
#endif
#define TILE_BYTES 1024u
FUNCTION u32 at(const void* place) { return (u32)__cvta_generic_to_shared(place); }
FUNCTION void begin_fetching(u64* arrivals)
{
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(arrivals)) : "memory");
    __syncthreads();
}
FUNCTION void expect_fetched(u64* arrivals, u32 bytes, bool is_last)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (is_last)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(arrivals)), "r"(bytes) : "memory");
    else
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at(arrivals)), "r"(bytes) : "memory");
}
FUNCTION void fetched_by_threads(u64* arrivals, bool is_last)
{
    if (!is_last) return;
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(arrivals)) : "memory");
}
FUNCTION void await_count(u64* count, u32 phase)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}"
        :: "r"(at(count)), "r"(phase) : "memory");
}
struct __align__(128) Map { u64 words[16]; };
#define ROWS 8u
FUNCTION void fetch(void* to, const double2* source, const Map* map, u32 number, u32 first, u32 last, u64* arrivals)
{
    u32 rest = number;
    u64 from = 0;
    const u32 start2 = rest % 256u * 1u;
    rest /= 256u;
    from += start2 * 64ul;
    if ((u64)source % 16ul == 0) {
        if (threadIdx.x == 0) {
            expect_fetched(arrivals, (last - first) * 128u, last == ROWS);
            for (u32 row = first; row < last; row += 8u)
                asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 1.0; cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], policy; }"
                    :: "r"(at(to) + row * 128u), "l"(map), "r"(0u * 2u), "r"(row), "r"(start2), "r"(at(arrivals)) : "memory");
        }
        return;
    }
    for (u32 i = first * 8u + threadIdx.x; i < last * 8u; i += blockDim.x) {
        rest = i;
        u64 at = from;
        at += rest % 8u * 1ul;
        rest /= 8u;
        at += rest % 8u * 8ul;
        rest /= 8u;
        ((double2*)to)[i] = source[at];
    }
    fetched_by_threads(arrivals, last == ROWS);
}
FUNCTION u32 opaque(u32 x) { asm volatile("" : "+r"(x)); __builtin_assume(x < 16u); return x; }
#define WARPS 1u
FUNCTION void begin_storing(u64* stored)
{
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(stored)), "n"(WARPS) : "memory");
}
FUNCTION void announce(u64* count)
{
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
}
FUNCTION void announce_stored(u64* stored, u32 phase, u64* count)
{
    __syncwarp();
    if (threadIdx.x % 32u == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(stored)) : "memory");
    if (threadIdx.x == 0) await_count(stored, phase);
    announce(count);
}
FUNCTION void announce_landed(u64* count)
{
    if (threadIdx.x == 0) asm volatile("red.relaxed.gpu.global.add.u32 [%0 + 4], 1;" :: "l"(count) : "memory");
}
FUNCTION u64 ask_crew(const u64* count)
{
    u64 found = 0;
    if (threadIdx.x == 0) asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(found) : "l"(count) : "memory");
    return found;
}
FUNCTION void await_crew(const u64* count, u64 found, u32 stored, u32 landed)
{
    if (threadIdx.x == 0) {
        while ((u32)found < stored || (u32)(found >> 32) < landed) found = ask_crew(count);
        asm volatile("fence.proxy.async.global;" ::: "memory");
    }
}
#define DRAWER ((WARPS - 1u) * 32u)
FUNCTION u32 draw(u32* drawn)
{
    u32 number = 0;
    if (threadIdx.x == DRAWER)
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(number) : "l"(drawn) : "memory");
    return number;
}
FUNCTION void write_down(u64* place, u32 round, u32 transform)
{
    if (threadIdx.x == DRAWER)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" :: "l"(place), "l"((u64)round << 32 | transform) : "memory");
}
FUNCTION void await_drawn(const u64* place, u64 found, u32 round, volatile u32* told)
{
    if (threadIdx.x == 0) {
        while ((u32)(found >> 32) != round) found = ask_crew(place);
        *told = (u32)found;
    }
}
#define CREW 1u
#define POINTS 64ul
#define COUNT_BYTES 128u
#define LANDINGS 1u
#define ELEMENT_BYTES 16u
#define PIECE_BYTES 1024u
#define PIECES 1u
#define ONE_FETCHES 1u
#define BLOCK 64u
#define BLOCK_BYTES 1024u
#define KEEPS 1u
#define KEPT 2147483648u
#define SIDE_BYTES 4096u
#define PAIRS 1u
FUNCTION void begin_landing(u64* landed)
{
    __syncthreads();
    if (threadIdx.x < LANDINGS)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(landed + threadIdx.x)) : "memory");
}
FUNCTION void await_landings(u64* landed, u32 phase)
{
    for (u32 i = 0; i < LANDINGS; i++) await_count(landed + i, phase);
}
FUNCTION void fetch_pieces(char* to, const char* ring, const u32* places, u32 member, u64* landed)
{
    if (threadIdx.x < LANDINGS) {
        const u32 kept = KEEPS && threadIdx.x == member / (CREW / LANDINGS) ? BLOCK_BYTES : 0u;
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(landed + threadIdx.x)), "r"(TILE_BYTES / LANDINGS - kept) : "memory");
    }
    const u32 others = (WARPS - 1u) * 32u;
    if (ONE_FETCHES ? threadIdx.x < others : threadIdx.x % 32u > 0) return;
    const u32 first = ONE_FETCHES ? threadIdx.x - others : threadIdx.x / 32u;
    asm volatile("fence.proxy.async.shared::cta; fence.proxy.async.global;" ::: "memory");
    for (u32 i = first; i < PIECES; i += ONE_FETCHES ? blockDim.x - others : WARPS) {
        if (KEEPS && places[i] >= KEPT) continue;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
            :: "r"(at(to) + i * PIECE_BYTES), "l"(ring + (u64)places[i] * ELEMENT_BYTES), "r"(PIECE_BYTES),
               "r"(at(landed + i / (PIECES / LANDINGS))) : "memory");
    }
}
FUNCTION void find_places(u32* places, const unsigned char* nearest, u32 crew, u32 member, u32 side)
{
    for (u32 i = threadIdx.x; i < 2u * PIECES; i += blockDim.x) {
        const u32 piece = i % PIECES, block = piece / (PIECES / CREW), part = piece % (PIECES / CREW) * PIECE_BYTES;
        const u32 row = i < PIECES ? member : block, column = i < PIECES ? block : member;
        const u32 within = row * TILE_BYTES + column * (TILE_BYTES / CREW) + part;
        const u32 pair = crew * PAIRS + within / SIDE_BYTES;
        const u32 near = (side < 2u ? __ldcg(nearest + pair) ^ side : pair) & 1u;
        const u32 shared = (pair * (2u * SIDE_BYTES) + near * SIDE_BYTES + within % SIDE_BYTES) / ELEMENT_BYTES;
        places[i] = KEEPS && row == column ? KEPT + part / ELEMENT_BYTES : shared;
    }
}
#define BY_AGE 0u
#define SHARE_AHEAD 6u
#define SHARE_BEHIND 5u
#define LATER 65536u
FUNCTION u32 first_comers(u32 counts) { return counts % LATER; }
FUNCTION u32 all_of(u32 counts) { return counts % LATER + counts / LATER; }
FUNCTION u32 time_of(char* place, volatile u32* seen)
{
    u32 begin, end, found;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(begin) :: "memory");
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 0;" : "=r"(found) : "l"(place) : "memory");
    *seen = found;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end) :: "memory");
    return end - begin;
}
FUNCTION void ask_for(const char* place) { asm volatile("prefetch.global.L2 [%0];" :: "l"(place) : "memory"); }
FUNCTION char* probe(char* ring, u32 pair)
{
    return ring + (u64)pair * (2u * SIDE_BYTES) + blockIdx.x * 128u % SIDE_BYTES;
}
FUNCTION u32 nearer(char* place, volatile u32* seen)
{
    return time_of(place, seen) > time_of(place + SIDE_BYTES, seen);
}
FUNCTION void share_by_age(u32* share, u32 crew, u32 crews, u32 batch, u32 first, u32 begin, u32 second)
{
    first = min(first, crews);
    second = begin < crews ? min(second, crews - begin) : 0u;
    const u32 ahead = first + second, behind = crews - ahead;
    const u32 parts = ahead * SHARE_AHEAD + behind * SHARE_BEHIND;
    const u32 cut = behind > 0 ? ahead * (u32)((u64)batch * SHARE_AHEAD / parts) : batch;
    const bool is_ahead = crew < first || crew - begin < second;
    const u32 before = crew < begin ? 0u : is_ahead ? begin - first : second;
    const u32 start = is_ahead ? crew - before : cut + crew - first - before;
    const u32 end = is_ahead ? cut : batch, stride = is_ahead ? ahead : behind;
    share[0] = start;
    share[1] = stride;
    share[2] = start < end ? (end - start + stride - 1) / stride : 0u;
}
FUNCTION void join_crew(char* ring, u32* taken, unsigned char* nearest, u32 crews, u32 batch, u32* local)
{
    const u32 warp = threadIdx.x / 32u, lane = threadIdx.x % 32u, pairs = crews * PAIRS;
    if (lane < 2u) {
        if (warp == 0) ask_for(probe(ring, 0) + lane * SIDE_BYTES);
        for (u32 pair = blockIdx.x * WARPS + warp; pair < pairs; pair += gridDim.x * WARPS)
            ask_for(probe(ring, pair) + lane * SIDE_BYTES);
    }
    if (threadIdx.x == 0) local[WARPS] = nearer(probe(ring, 0), local);
    __syncthreads();
    const u32 side = local[WARPS];
    if (lane == 0)
        for (u32 pair = blockIdx.x * WARPS + warp; pair < pairs; pair += gridDim.x * WARPS)
            nearest[pair] = nearer(probe(ring, pair), local + warp) ^ side;
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 slot, before, first, second;
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
        const bool is_later = slot >= WARPS;
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
            : "=r"(before) : "l"(taken + side), "r"(is_later ? LATER : 1u) : "memory");
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(first) : "l"(taken) : "memory");
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(second) : "l"(taken + 1) : "memory");
        } while (all_of(first) + all_of(second) < gridDim.x);
        const u32 number = is_later ? first_comers(side ? second : first) + before / LATER : before % LATER;
        const u32 crews_first = all_of(first) / CREW, crews_second = all_of(second) / CREW;
        const bool is_left = number >= (side ? crews_second : crews_first) * CREW;
        const u32 others = is_left ? (side ? all_of(first) : crews_second * CREW) : (side ? crews_first * CREW : 0u);
        local[0] = others + number;
        local[1] = is_left ? 2 : side;
        if (BY_AGE && local[0] / CREW < crews)
            share_by_age(local + 2, local[0] / CREW, crews, batch, first_comers(first) / CREW, crews_first,
                first_comers(second) / CREW);
    }
    __syncthreads();
}
FUNCTION u32 kept_in(u32 round) { return 75u + (round & 1u) * BLOCK; }
FUNCTION void keep_or_store(double2* ring, double2* kept, u32 place, double2 value)
{
    asm volatile("{ .reg .pred keeps; setp.lt.s32 keeps, %0, 0; @keeps st.shared.v2.f64 [%1], {%3, %4}; @!keeps st.global.v2.f64 [%2], {%3, %4}; }"
        :: "r"(place), "r"(at(kept) + place * ELEMENT_BYTES), "l"(ring + place), "d"(value.x), "d"(value.y) : "memory");
}
FUNCTION u32 start_of_block(u32 block, u32 member, u32 kept) { return block == member ? kept : block * BLOCK; }

extern "C" __global__ __launch_bounds__(16, 42) void pass0_radix8_pass1_radix8(const double2* first_source, const u64 first_source_offset,
    double2* first_target, const u64 first_target_offset,
    const double2* __restrict__ first_table, const u64 first_columns,
    const double2* second_source, const u64 second_source_offset,
    double2* second_target, const u64 second_target_offset,
    const double2* __restrict__ second_table, const u64 second_columns,
    char* counts, const u64 counts_offset, const u64 crews_wide,
    const __grid_constant__ Map map)
{
    extern __shared__ __align__(128) char memory[];
    u64* const arrivals = (u64*)(memory + 1136);
    const u32 crews = (u32)crews_wide, batch = (u32)(first_columns / 8u);
    double2* ring = first_target + first_target_offset;
    u64* const landed = arrivals + 3;
    u32* const all_places = (u32*)(landed + 4);
    ring += (0ul - (u64)ring) % (2u * SIDE_BYTES) / ELEMENT_BYTES;
    unsigned char* const nearest = (unsigned char*)(counts + counts_offset + (crews + 1u) * COUNT_BYTES);
    join_crew((char*)ring, (u32*)(counts + counts_offset + crews * COUNT_BYTES), nearest, crews, batch, (u32*)memory);
    const u32 joined = ((const u32*)memory)[0], side = ((const u32*)memory)[1];
    const u32 crew = joined / CREW, member = joined % CREW;
    if (crew >= crews) return;
    find_places(all_places, nearest, crew, member, side);
    begin_landing(landed);
    volatile u32* const told = (u32*)(arrivals + 2);
    u32* const drawn = (u32*)(counts + counts_offset + crews * COUNT_BYTES) + 2;
    u32 before = 0, now = crew, next = crew + crews;
    u64* const count = (u64*)(counts + counts_offset + crew * COUNT_BYTES);
    const double2* const input = first_source + first_source_offset;
    begin_storing(arrivals + 1);
    begin_fetching(arrivals);
    fetch(memory, input, &map, crew * CREW + member, 0u, ROWS, arrivals);
    u32 phase = 0;
    #pragma unroll 1
    for (u32 round = 0; ; round++) {
    if (now < batch) {
    const u32 transform = now, tile_number = transform * CREW + member;
    double2* const target = ring;
    const double2* __restrict__ const table = first_table;
    const u32 columns = (u32)first_columns;
    double2* const tile = (double2*)memory;
    double2* const fetched = (double2*)memory;
    const u32* const places = all_places + (round & 1u ? 0u : PIECES);
    double2* const kept = (double2*)memory + kept_in(round);
    await_count(arrivals, round & 1u);
    const u32 v0 = opaque(threadIdx.x);
    const u32 v2 = v0 >> 3;
    const u32 v4 = v0 & 7u;
    const u32 v5 = v2 << 3;
    const u32 v6 = v5 + v4;
    const double2 l0 = fetched[v6];
    const double v8 = l0.x;
    const double v9 = l0.y;
    const u32 v11 = v6 + 16u;
    const double2 l1 = fetched[v11];
    const double v12 = l1.x;
    const double v13 = l1.y;
    const u32 v15 = v6 + 32u;
    const double2 l2 = fetched[v15];
    const double v16 = l2.x;
    const double v17 = l2.y;
    const u32 v19 = v6 + 48u;
    const double2 l3 = fetched[v19];
    const double v20 = l3.x;
    const double v21 = l3.y;
    __syncthreads();
    const double v22 = v8 + v16;
    const double v23 = v9 + v17;
    const double v24 = v8 - v16;
    const double v25 = v9 - v17;
    const double v26 = v12 + v20;
    const double v27 = v13 + v21;
    const double v28 = v12 - v20;
    const double v29 = v13 - v21;
    const double v31 = v22 + v26;
    const double v32 = v23 + v27;
    const double v33 = v24 + v29;
    const double v34 = v25 - v28;
    const double v35 = v22 - v26;
    const double v36 = v23 - v27;
    const double v37 = v24 - v29;
    const double v38 = v25 + v28;
    const u32 v41 = v2 << 2;
    const u32 v42 = v41 << 3;
    const u32 v43 = v42 + v4;
    tile[v43] = make_double2(v31, v32);
    (tile + v43)[8] = make_double2(v33, v34);
    (tile + v43)[16] = make_double2(v35, v36);
    (tile + v43)[24] = make_double2(v37, v38);
    const u64 found = round > 0 ? ask_crew(count) : 0;
    const u64 written = round > 0 ? ask_crew(count + 1 + (round + 1) % 2u) : 0;
    const u32 number = member == 0 ? draw(drawn) : 0;
    __syncthreads();
    const double2 l4 = tile[v6];
    const double v48 = l4.x;
    const double v49 = l4.y;
    const double2 l5 = (tile + v6)[16];
    const double v50 = l5.x;
    const double v51 = l5.y;
    const double2 l6 = (tile + v6)[32];
    const double v52 = l6.x;
    const double v53 = l6.y;
    const double2 l7 = (tile + v6)[48];
    const double v54 = l7.x;
    const double v55 = l7.y;
    if (round > 0) await_crew(count, found, round * CREW, 0);
    if (round > 0) await_drawn(count + 1 + (round + 1) % 2u, written, round + 1, told);
    __syncthreads();
    if (round > 0) fetch_pieces(memory, (const char*)ring, all_places + ((round - 1) & 1u ? PIECES : 0u), member, landed);
    else if (next < batch) fetch(memory, input, &map, next * CREW + member, 0u, ROWS, arrivals);
    if (round > 0) next = *told;
    if (member == 0) write_down(count + 1 + round % 2u, round + 2, 2 * crews + number);
    const u64 v56 = (u64)v2;
    const double2 l8 = table[v56];
    const double v58 = l8.x;
    const double v59 = l8.y;
    const double v60 = v53 * v59;
    const double v61 = -v60;
    const double v62 = fma(v52, v58, v61);
    const double v63 = v53 * v58;
    const double v64 = fma(v52, v59, v63);
    const double v65 = v48 + v62;
    const double v66 = v49 + v64;
    const double v67 = v48 - v62;
    const double v68 = v49 - v64;
    const u32 v70 = v2 + 2u;
    const u64 v71 = (u64)v70;
    const double2 l9 = table[v71];
    const double v72 = l9.x;
    const double v73 = l9.y;
    const double v74 = v55 * v73;
    const double v75 = -v74;
    const double v76 = fma(v54, v72, v75);
    const double v77 = v55 * v72;
    const double v78 = fma(v54, v73, v77);
    const double v79 = v50 + v76;
    const double v80 = v51 + v78;
    const double v81 = v50 - v76;
    const double v82 = v51 - v78;
    if (round > 0) await_count(landed + 0, (round - 1u) & 1u);
    const u32 v83 = places[0u];
    const u32 v84 = v83 + v6;
    const u64 v85 = (u64)v84;
    keep_or_store(target, kept, (u32)v85, make_double2(v65, v66));
    const u32 v86 = places[0u];
    const u32 v87 = v86 + v6;
    const u64 v88 = (u64)v87;
    const u64 v90 = v88 + (u64)0x10ul;
    keep_or_store(target, kept, (u32)v90, make_double2(v79, v80));
    const u32 v91 = places[0u];
    const u32 v92 = v91 + v6;
    const u64 v93 = (u64)v92;
    const u64 v95 = v93 + (u64)0x20ul;
    keep_or_store(target, kept, (u32)v95, make_double2(v67, v68));
    const u32 v96 = places[0u];
    const u32 v97 = v96 + v6;
    const u64 v98 = (u64)v97;
    const u64 v100 = v98 + (u64)0x30ul;
    keep_or_store(target, kept, (u32)v100, make_double2(v81, v82));
    if (round == 0) announce_stored(arrivals + 1, round & 1u, count);
    phase ^= 1u;
    if (round == 0 && next >= batch) {
    await_crew(count, 0, CREW, 0);
    __syncthreads();
    fetch_pieces(memory, (const char*)ring, all_places + ((0) & 1u ? PIECES : 0u), member, landed);
    }
    }
    if (round > 0) {
    const u32 transform = before, tile_number = transform * CREW + member;
    double2* const target = second_target + second_target_offset;
    const double2* __restrict__ const table = second_table;
    const u32 columns = (u32)second_columns;
    double2* const tile = (double2*)memory;
    double2* const fetched = (double2*)memory;
    const u32 kept = kept_in(round - 1u);
    await_landings(landed, (round - 1u) & 1u);
    const u32 v0 = opaque(threadIdx.x);
    const u32 v3 = v0 & 1u;
    const u32 v4 = v0 >> 1;
    const u32 v6 = start_of_block(0u, member, kept);
    const u32 v8 = v4 << 3;
    const u32 v9 = v6 + v8;
    const u32 v10 = v9 + v3;
    const double2 l0 = fetched[v10];
    const double v11 = l0.x;
    const double v12 = l0.y;
    const u32 v13 = start_of_block(0u, member, kept);
    const u32 v14 = v13 + v8;
    const u32 v15 = v14 + v3;
    const u32 v16 = v15 + 2u;
    const double2 l1 = fetched[v16];
    const double v17 = l1.x;
    const double v18 = l1.y;
    const u32 v19 = start_of_block(0u, member, kept);
    const u32 v20 = v19 + v8;
    const u32 v21 = v20 + v3;
    const u32 v23 = v21 + 4u;
    const double2 l2 = fetched[v23];
    const double v24 = l2.x;
    const double v25 = l2.y;
    const u32 v26 = start_of_block(0u, member, kept);
    const u32 v27 = v26 + v8;
    const u32 v28 = v27 + v3;
    const u32 v30 = v28 + 6u;
    const double2 l3 = fetched[v30];
    const double v31 = l3.x;
    const double v32 = l3.y;
    __syncthreads();
    const u32 v33 = (u32)tile_number;
    const u32 v35 = v33 << 6;
    const u32 v37 = v4 << 1;
    const u64 v38 = (u64)v37;
    const u64 v40 = v38 + (u64)0x4ul;
    const double2 l4 = table[v40];
    const double v41 = l4.x;
    const double v42 = l4.y;
    const u32 v43 = v4 << 2;
    const u64 v44 = (u64)v43;
    const u64 v45 = v44 + (u64)0x4ul;
    const double2 l5 = table[v45];
    const double v46 = l5.x;
    const double v47 = l5.y;
    const u32 v48 = v4 * v3;
    const u64 v49 = (u64)v48;
    const u64 v50 = v49 + (u64)0x4ul;
    const double2 l6 = table[v50];
    const double v51 = l6.x;
    const double v52 = l6.y;
    const double v53 = v12 * v52;
    const double v54 = -v53;
    const double v55 = fma(v11, v51, v54);
    const double v56 = v12 * v51;
    const double v57 = fma(v11, v52, v56);
    const double v58 = v52 * v42;
    const double v59 = -v58;
    const double v60 = fma(v51, v41, v59);
    const double v61 = v52 * v41;
    const double v62 = fma(v51, v42, v61);
    const double v63 = v18 * v62;
    const double v64 = -v63;
    const double v65 = fma(v17, v60, v64);
    const double v66 = v18 * v60;
    const double v67 = fma(v17, v62, v66);
    const double v68 = v52 * v47;
    const double v69 = -v68;
    const double v70 = fma(v51, v46, v69);
    const double v71 = v52 * v46;
    const double v72 = fma(v51, v47, v71);
    const double v73 = v25 * v72;
    const double v74 = -v73;
    const double v75 = fma(v24, v70, v74);
    const double v76 = v25 * v70;
    const double v77 = fma(v24, v72, v76);
    const double v78 = v72 * v42;
    const double v79 = -v78;
    const double v80 = fma(v70, v41, v79);
    const double v81 = v72 * v41;
    const double v82 = fma(v70, v42, v81);
    const double v83 = v32 * v82;
    const double v84 = -v83;
    const double v85 = fma(v31, v80, v84);
    const double v86 = v32 * v80;
    const double v87 = fma(v31, v82, v86);
    const double v88 = v55 + v75;
    const double v89 = v57 + v77;
    const double v90 = v55 - v75;
    const double v91 = v57 - v77;
    const double v92 = v65 + v85;
    const double v93 = v67 + v87;
    const double v94 = v65 - v85;
    const double v95 = v67 - v87;
    const double v97 = v88 + v92;
    const double v98 = v89 + v93;
    const double v99 = v90 + v95;
    const double v100 = v91 - v94;
    const double v101 = v88 - v92;
    const double v102 = v89 - v93;
    const double v103 = v90 - v95;
    const double v104 = v91 + v94;
    const u32 v105 = v3 << 2;
    const u32 v107 = v4 * 9u;
    const u32 v108 = v105 + v107;
    tile[v108] = make_double2(v97, v98);
    (tile + v108)[1] = make_double2(v99, v100);
    (tile + v108)[2] = make_double2(v101, v102);
    (tile + v108)[3] = make_double2(v103, v104);
    if (now < batch) announce(count);
    const u64 found = now < batch && next >= batch ? ask_crew(count) : 0;
    __syncthreads();
    const u32 v113 = v0 >> 3;
    const u32 v115 = v0 & 7u;
    const u32 v116 = v115 * 9u;
    const u32 v117 = v113 + v116;
    const double2 l7 = tile[v117];
    const double v118 = l7.x;
    const double v119 = l7.y;
    const double2 l8 = (tile + v117)[2];
    const double v121 = l8.x;
    const double v122 = l8.y;
    const double2 l9 = (tile + v117)[4];
    const double v124 = l9.x;
    const double v125 = l9.y;
    const double2 l10 = (tile + v117)[6];
    const double v127 = l10.x;
    const double v128 = l10.y;
    if (now < batch && next >= batch) await_crew(count, found, (round + 1) * CREW, 0);
    __syncthreads();
    if (next < batch) fetch(memory, input, &map, next * CREW + member, 0u, ROWS, arrivals);
    else if (now < batch) fetch_pieces(memory, (const char*)ring, all_places + ((round) & 1u ? PIECES : 0u), member, landed);
    const u64 v129 = (u64)v113;
    const double2 l11 = table[v129];
    const double v131 = l11.x;
    const double v132 = l11.y;
    const double v133 = v125 * v132;
    const double v134 = -v133;
    const double v135 = fma(v124, v131, v134);
    const double v136 = v125 * v131;
    const double v137 = fma(v124, v132, v136);
    const double v138 = v118 + v135;
    const double v139 = v119 + v137;
    const double v140 = v118 - v135;
    const double v141 = v119 - v137;
    const u32 v142 = v113 + 2u;
    const u64 v143 = (u64)v142;
    const double2 l12 = table[v143];
    const double v144 = l12.x;
    const double v145 = l12.y;
    const double v146 = v128 * v145;
    const double v147 = -v146;
    const double v148 = fma(v127, v144, v147);
    const double v149 = v128 * v144;
    const double v150 = fma(v127, v145, v149);
    const double v151 = v121 + v148;
    const double v152 = v122 + v150;
    const double v153 = v121 - v148;
    const double v154 = v122 - v150;
    const u32 v155 = v115 + v35;
    const u32 v156 = v113 << 3;
    const u32 v157 = v155 + v156;
    const u64 v158 = (u64)v157;
    __stcs(&target[v158], make_double2(v138, v139));
    const u32 v159 = v142 << 3;
    const u32 v160 = v155 + v159;
    const u64 v161 = (u64)v160;
    __stcs(&target[v161], make_double2(v151, v152));
    const u64 v163 = v158 + (u64)0x20ul;
    __stcs(&target[v163], make_double2(v140, v141));
    const u64 v164 = v161 + (u64)0x20ul;
    __stcs(&target[v164], make_double2(v153, v154));
    phase ^= 1u;
    }
    if (now >= batch) break;
    before = now;
    now = next;
    }
}
