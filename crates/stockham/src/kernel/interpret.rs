//! Running kernels on the host, statement by statement, with every access checked: the test of planner and lowering
//! that needs no device. It finds wrong results, accesses out of bounds, and races between barriers.

use super::ir::{Ahead, Id, Kernel, Meeting, Memory, Op, Stmt, Type};
use crate::algebra::{Goldilocks, Ring};
use crate::plan::{Pieces, WARP};

/// Global memory: the bits of the components, element after element.
pub(super) struct Global<'a> {
    pub source: Vec<u64>,
    pub target: &'a mut Vec<u64>,
    pub table: &'a [u64],
}

/// How many barriers have been passed, and how far a work-group of a cluster is.
#[derive(Clone, Copy, Default)]
struct Time {
    barriers: usize,
    /// Places that it expects to be sent.
    expects: Option<usize>,
    /// Whether it knows that the others have begun.
    begun: bool,
    /// Whether it has received everything.
    received: bool,
    /// Whether the tile's input is in local memory, or has been.
    fetched: bool,
    has_fetched: bool,
}

/// An access to a place of local memory.
#[derive(Clone, Copy)]
struct Access {
    block: usize,
    thread: usize,
    writes: bool,
    /// Whether it is a push, which takes its time.
    pushes: bool,
    time: Time,
}

impl Access {
    /// Whether this access comes before a later one for certain. A push does when the work-group that it goes to has
    /// received everything, and comes after what was done before that work-group expected any. Other accesses do by the
    /// same thread, or by a barrier of the work-group, which alone makes them.
    fn is_before(&self, later: &Self) -> bool {
        match (self.pushes, later.pushes) {
            (true, pushes) => !pushes && later.time.received,
            (false, true) => self.time.expects.is_none() && later.time.begun,
            (false, false) => self.thread == later.thread || self.time.barriers < later.time.barriers,
        }
    }
}

/// The local memory of a work-group, and who touched each place since it was last written.
struct Tile {
    words: Vec<u64>,
    accesses: Vec<Vec<Access>>,
    /// Places that were pushed to.
    pushed: usize,
    /// The tile's input, where it is fetched ahead to memory of its own, and after how many barriers it was last read.
    fetched: Vec<u64>,
    read: Option<usize>,
}

/// Who may still be at the tile before, in a work-group that stays.
const BEFORE: Access = Access {
    block: 0,
    thread: usize::MAX,
    writes: true,
    pushes: false,
    time: Time { barriers: 0, expects: None, begun: false, received: false, fetched: false, has_fetched: false },
};

/// What fetches the next tile: nothing comes after it for certain.
const NEXT: Access = Access { time: Time { barriers: usize::MAX, ..BEFORE.time }, ..BEFORE };

impl Tile {
    fn of(kernel: &Kernel) -> Self {
        Self {
            words: vec![0; kernel.tile_len * kernel.tile.1],
            accesses: vec![Vec::from_iter(kernel.ahead.as_ref().map(|_| BEFORE)); kernel.tile_len],
            pushed: 0,
            fetched: Vec::new(),
            read: None,
        }
    }

    fn touch(&mut self, at: usize, access: Access) -> Result<(), String> {
        let word = |a: &Access| if a.writes { "written" } else { "read" };
        let who = |a: &Access| format!("{} by thread {} of work-group {}", word(a), a.thread, a.block);
        let before = self.accesses.get_mut(at).ok_or_else(|| format!("tile[{at}], out of bounds, {}", who(&access)))?;
        if let Some(other) = before.iter().find(|a| (a.writes || access.writes) && !a.is_before(&access)) {
            return Err(format!("tile[{at}] {}, and at the same time {}", who(&access), who(other)));
        }
        if access.writes {
            before.clear();
        }
        before.push(access);
        Ok(())
    }
}

/// The values of a work-group, by value and thread.
struct Block {
    group: usize,
    values: Vec<Vec<u64>>,
}

impl Block {
    fn begin(kernel: &Kernel, arguments: &[u64], group: usize) -> Result<Self, String> {
        let mut values = vec![vec![0u64; kernel.group]; kernel.values.len()];
        for (row, (_, op)) in values.iter_mut().zip(&kernel.values) {
            match op {
                Op::Const(bits) => row.fill(*bits),
                Op::Argument(name) => {
                    let place = kernel.arguments.iter().position(|a| a == name);
                    row.fill(arguments[place.ok_or_else(|| format!("no argument '{name}'"))?]);
                }
                _ => {}
            }
        }
        Ok(Self { group, values })
    }
}

/// Where a piece of a tile goes, as if the ring were as long as all there is: to the parts of the transform that the second
/// pass's tiles are, each of which has a block from each work-group of the crew.
fn place_of_piece(kernel: &Kernel, group: usize, number: usize) -> Result<u64, String> {
    let Pieces { crew, tile, block, piece, .. } = kernel.pieces.ok_or("a list of places without pieces")?;
    let (to, part) = (number * piece / block, number * piece % block);
    if to >= crew {
        return Err(format!("places[{number}] read out of bounds"));
    }
    Ok((group / crew * crew * tile + to * tile + group % crew * block + part) as u64)
}

/// Where a block is in the fetched tile, as if none was kept.
fn start_of_block(kernel: &Kernel, number: usize) -> Result<u64, String> {
    let Pieces { crew, block, .. } = kernel.pieces.ok_or("blocks of a tile without any")?;
    if number < crew { Ok((number * block) as u64) } else { Err(format!("block {number} of {crew}")) }
}

/// Runs all work-groups, cluster by cluster, with these scalar arguments.
pub(super) fn run(kernel: &Kernel, global: &mut Global<'_>, arguments: &[u64], groups: usize) -> Result<(), String> {
    assert_eq!(arguments.len(), kernel.arguments.len(), "the kernel takes {:?}", kernel.arguments);
    if !groups.is_multiple_of(kernel.cluster) {
        return Err(format!("{groups} work-groups in clusters of {}", kernel.cluster));
    }
    for first in (0..groups).step_by(kernel.cluster) {
        let groups = first..first + kernel.cluster;
        let mut blocks = groups.map(|group| Block::begin(kernel, arguments, group)).collect::<Result<Vec<_>, _>>()?;
        let mut tiles: Vec<Tile> = (0..kernel.cluster).map(|_| Tile::of(kernel)).collect();
        let mut time = Time::default();
        for stmt in &kernel.body {
            match stmt {
                Stmt::Push { .. } if !time.begun => return Err("a push to a work-group that may not have begun".into()),
                Stmt::Meet(meeting) => meet(kernel, global, *meeting, &blocks, &mut tiles, &mut time)?,
                _ => {}
            }
            for (rank, block) in blocks.iter_mut().enumerate() {
                step(kernel, global, stmt, (rank, block), &mut tiles, time)?;
            }
        }
        if kernel.ahead.is_some() && (time.fetched || !time.has_fetched) {
            return Err("a tile is left before the next one is fetched".into());
        }
        if tiles.iter().any(|tile| tile.pushed > 0) && !time.received {
            return Err("a work-group may end while others write to its memory".into());
        }
    }
    Ok(())
}

/// What the threads of each work-group of a cluster do together.
fn meet(
    kernel: &Kernel,
    global: &Global<'_>,
    meeting: Meeting,
    blocks: &[Block],
    tiles: &mut [Tile],
    time: &mut Time,
) -> Result<(), String> {
    match meeting {
        Meeting::Barrier => time.barriers += 1,
        Meeting::Expect { .. } if time.expects.is_some() => return Err("it expects pushes twice".into()),
        Meeting::Expect { places } => time.expects = Some(places),
        Meeting::ClusterBegun if time.expects.is_none() => return Err("a wait for what nobody does".into()),
        Meeting::ClusterBegun => time.begun = true,
        Meeting::Received => {
            time.received = true;
            if let Some(tile) = tiles.iter().find(|tile| Some(tile.pushed) != time.expects) {
                return Err(format!("{} pushes come, and {:?} are expected", tile.pushed, time.expects));
            }
        }
        Meeting::Fetched => {
            let ahead = kernel.ahead.as_ref().ok_or("a wait for what nobody fetches")?;
            for (tile, block) in tiles.iter_mut().zip(blocks) {
                let input = fetched(kernel, ahead, &global.source, block.group)?;
                if ahead.in_tile {
                    tile.accesses[..input.len() / kernel.tile.1].iter_mut().for_each(Vec::clear);
                    tile.words[..input.len()].copy_from_slice(&input);
                } else {
                    tile.fetched = input;
                }
            }
            (time.fetched, time.has_fetched) = (true, true);
        }
        // Launches are interpreted one after the other.
        Meeting::Landed(_) | Meeting::Announce | Meeting::AskCrew | Meeting::CrewReady => {}
        Meeting::FetchEarly | Meeting::FetchNext => {
            let ahead = kernel.ahead.as_ref().ok_or("a tile that nobody fetches")?;
            let part = if meeting == Meeting::FetchEarly { 0..ahead.early } else { ahead.early..ahead.len };
            let places_of_element = kernel.element.1 / kernel.tile.1;
            if tiles.iter().any(|tile| tile.read >= Some(time.barriers)) {
                return Err("the next tile is fetched while this one may still be read".into());
            }
            for tile in tiles.iter_mut().filter(|_| ahead.in_tile) {
                let places = &mut tile.accesses[part.start * places_of_element..part.end * places_of_element];
                if places.iter().flatten().any(|access| access.time.barriers >= time.barriers) {
                    return Err("the next tile is fetched while this one may still be read".into());
                }
                places.fill(vec![NEXT]);
            }
            time.fetched &= meeting == Meeting::FetchEarly;
        }
    }
    Ok(())
}

/// The input of a tile.
fn fetched(kernel: &Kernel, ahead: &Ahead, source: &[u64], number: usize) -> Result<Vec<u64>, String> {
    let components = kernel.element.1;
    let element = |at: usize| source.get(at * components..(at + 1) * components);
    let places: Vec<usize> = match &ahead.array {
        None => (number * ahead.len..(number + 1) * ahead.len).collect(),
        Some(array) => array.elements(number).collect(),
    };
    let elements: Option<Vec<&[u64]>> = places.into_iter().map(element).collect();
    Ok(elements.ok_or("a tile fetched from out of bounds")?.concat())
}

/// One statement, by all threads of a work-group.
// A thread is a row of several tables, not a place of one.
#[allow(clippy::needless_range_loop)]
fn step(
    kernel: &Kernel,
    global: &mut Global<'_>,
    stmt: &Stmt,
    (rank, block): (usize, &mut Block),
    tiles: &mut [Tile],
    time: Time,
) -> Result<(), String> {
    let (group, values) = (block.group, &mut block.values);
    let access = |thread, writes| Access { block: rank, thread, writes, pushes: false, time };
    match stmt {
        Stmt::Meet(_) => {}
        Stmt::Rows { .. } | Stmt::EndRows { .. } | Stmt::Repeat { .. } | Stmt::EndRepeat { .. } => {
            return Err("loops are not interpreted".into());
        }
        Stmt::Let(id) => {
            let (ty, op) = &kernel.values[id.0 as usize];
            if matches!(op, Op::Const(_) | Op::Argument(_)) {
                return Ok(());
            }
            for thread in 0..kernel.group {
                if let Op::Partner(a, distance) = op {
                    let partner = thread ^ *distance as usize;
                    let given = values[a.0 as usize].get(partner).filter(|_| thread / WARP == partner / WARP);
                    values[id.0 as usize][thread] = *given.ok_or("a thread without a partner in its warp")?;
                    continue;
                }
                let get = |id: &Id| values[id.0 as usize][thread];
                let operand_type = op.operands().first().map_or(*ty, |a| kernel.values[a.0 as usize].0);
                let result = evaluate(*ty, operand_type, op, &get, (thread, group));
                values[id.0 as usize][thread] = result;
            }
        }
        Stmt::Push { block, index, components } => {
            for thread in 0..kernel.group {
                let to = values[block.0 as usize][thread] as usize;
                let at = values[index.0 as usize][thread] as usize;
                let tile = tiles.get_mut(to).ok_or_else(|| format!("a push to rank {to} of the cluster"))?;
                let pushes = to != rank || !kernel.stores_own();
                tile.touch(at, Access { pushes, ..access(thread, true) })?;
                tile.pushed += 1;
                for (c, id) in components.iter().enumerate() {
                    tile.words[at * components.len() + c] = values[id.0 as usize][thread];
                }
            }
        }
        Stmt::Load { memory, index, components, guard } => {
            for thread in 0..kernel.group {
                if guard.is_some_and(|g| values[g.0 as usize][thread] == 0) {
                    components.iter().for_each(|id| values[id.0 as usize][thread] = 0);
                    continue;
                }
                let at = values[index.0 as usize][thread] as usize;
                let listed = match memory {
                    Memory::Places => Some(place_of_piece(kernel, block.group, at)?),
                    Memory::Blocks => Some(start_of_block(kernel, at)?),
                    _ => None,
                };
                if let Some(place) = listed {
                    values[components[0].0 as usize][thread] = place;
                    continue;
                }
                if let Memory::Tile | Memory::TileVectors = memory {
                    tiles[rank].touch(at, access(thread, false))?;
                }
                if *memory == Memory::Fetched {
                    if !time.fetched {
                        return Err(format!("fetched[{at}] read by thread {thread} before it is there, or after"));
                    }
                    if kernel.ahead.as_ref().is_some_and(|ahead| ahead.in_tile) {
                        let places = components.len() / kernel.tile.1;
                        for place in at * places..(at + 1) * places {
                            tiles[rank].touch(place, access(thread, false))?;
                        }
                    } else {
                        tiles[rank].read = Some(time.barriers);
                    }
                }
                let from: &[u64] = match memory {
                    Memory::Source | Memory::SourceWords | Memory::SourceVectors => &global.source,
                    Memory::Target | Memory::TargetVectors => return Err("a load from the target".into()),
                    Memory::Table => global.table,
                    Memory::Tile | Memory::TileVectors => &tiles[rank].words,
                    Memory::Fetched if tiles[rank].fetched.is_empty() => &tiles[rank].words,
                    Memory::Fetched => &tiles[rank].fetched,
                    Memory::Places | Memory::Blocks => return Err("a list of places is read by itself".into()),
                };
                if let [only] = components[..]
                    && kernel.values[only.0 as usize].0 == Type::F32x2
                {
                    let pair = from.get(2 * at..2 * at + 2).ok_or("a vector read out of bounds")?;
                    values[only.0 as usize][thread] = pair[0] | pair[1] << 32;
                    continue;
                }
                for (c, id) in components.iter().enumerate() {
                    let bits = from.get(at * components.len() + c);
                    values[id.0 as usize][thread] =
                        *bits.ok_or_else(|| format!("{memory:?}[{at}] read out of bounds by thread {thread}"))?;
                }
            }
        }
        Stmt::SinCos { angle, sin, cos, .. } => {
            let narrow = kernel.values[angle.0 as usize].0 == Type::F32;
            for thread in 0..kernel.group {
                let bits = values[angle.0 as usize][thread];
                let x = if narrow { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
                for (id, y) in [(sin, x.sin()), (cos, x.cos())] {
                    let bits = if narrow { u64::from((y as f32).to_bits()) } else { y.to_bits() };
                    values[id.0 as usize][thread] = bits;
                }
            }
        }
        Stmt::Store { memory, index, components, guard } => {
            for thread in 0..kernel.group {
                if guard.is_some_and(|g| values[g.0 as usize][thread] == 0) {
                    continue;
                }
                let at = values[index.0 as usize][thread] as usize;
                if let Memory::Tile | Memory::TileVectors = memory {
                    tiles[rank].touch(at, access(thread, true))?;
                }
                let to: &mut Vec<u64> = match memory {
                    Memory::Target | Memory::TargetVectors => global.target,
                    Memory::Tile | Memory::TileVectors => &mut tiles[rank].words,
                    _ => return Err(format!("a store to {memory:?}")),
                };
                if let [only] = components[..]
                    && kernel.values[only.0 as usize].0 == Type::F32x2
                {
                    let pair = to.get_mut(2 * at..2 * at + 2).ok_or("a vector written out of bounds")?;
                    let bits = values[only.0 as usize][thread];
                    pair.copy_from_slice(&[bits & 0xffff_ffff, bits >> 32]);
                    continue;
                }
                for (c, id) in components.iter().enumerate() {
                    let bits = values[id.0 as usize][thread];
                    *to.get_mut(at * components.len() + c)
                        .ok_or_else(|| format!("{memory:?}[{at}] written out of bounds by thread {thread}"))? = bits;
                }
            }
        }
    }
    Ok(())
}

pub(super) fn evaluate(
    ty: Type,
    operand: Type,
    op: &Op,
    get: &dyn Fn(&Id) -> u64,
    (thread, group): (usize, usize),
) -> u64 {
    let float = |x: u64| if operand == Type::F32 { f64::from(f32::from_bits(x as u32)) } else { f64::from_bits(x) };
    // f32 arithmetic through f64 rounds correctly for a single sum or product.
    let bits = |x: f64| if ty == Type::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
    let wrap = |x: u64| if ty == Type::U32 { x & 0xffff_ffff } else { x };
    // Words and wide values alike stand for their residues.
    let field = |id: &Id| Goldilocks::reduce(get(id));
    let lane = |x: u64, lane: u32| x >> (32 * lane) & 0xffff_ffff;
    if ty == Type::F32x2
        && let Op::Add(..) | Op::Sub(..) | Op::Mul(..) | Op::Neg(..) = op
    {
        let on_lane = |l| evaluate(Type::F32, Type::F32, op, &|id| lane(get(id), l), (thread, group));
        return on_lane(0) | on_lane(1) << 32;
    }
    match op {
        Op::Const(_) | Op::Argument(_) | Op::Loaded | Op::Partner(..) => unreachable!("these are given"),
        Op::Vector(a, b) => get(a) | get(b) << 32,
        Op::Lane(a, l) => lane(get(a), *l),
        Op::Group => group as u64,
        Op::Thread => thread as u64,
        Op::Add(a, b) if ty.is_float() => bits(float(get(a)) + float(get(b))),
        Op::Sub(a, b) if ty.is_float() => bits(float(get(a)) - float(get(b))),
        Op::Mul(a, b) if ty.is_float() => bits(float(get(a)) * float(get(b))),
        Op::Add(a, b) => wrap(get(a).wrapping_add(get(b))),
        Op::Sub(a, b) => wrap(get(a).wrapping_sub(get(b))),
        Op::Mul(a, b) => wrap(get(a).wrapping_mul(get(b))),
        Op::MulHigh(a, b) => ((u128::from(get(a)) * u128::from(get(b))) >> 64) as u64,
        Op::Neg(a) => bits(-float(get(a))),
        Op::Fma(a, b, c) => bits(float(get(a)).mul_add(float(get(b)), float(get(c)))),
        Op::Div(a, b) => get(a) / get(b),
        Op::Rem(a, b) => get(a) % get(b),
        Op::Shl(a, s) => wrap(get(a) << s),
        Op::Shr(a, s) => get(a) >> s,
        Op::And(a, b) => get(a) & get(b),
        Op::Min(a, b) => get(a).min(get(b)),
        Op::Less(a, b) => u64::from(get(a) < get(b)),
        Op::Select(a, b, c) => get(if get(a) != 0 { b } else { c }),
        Op::Equal(a, b) => u64::from(get(a) == get(b)),
        Op::Cast(a) if ty.is_float() => bits(get(a) as f64),
        Op::Cast(a) => wrap(get(a)),
        Op::Call("gl_widen" | "gl_narrow" | "gl_reduce", x) => field(&x[0]).value(),
        Op::Call("gl_add", x) => field(&x[0]).add(&field(&x[1])).value(),
        Op::Call("gl_sub", x) => field(&x[0]).sub(&field(&x[1])).value(),
        Op::Call("gl_mul", x) => field(&x[0]).mul(&field(&x[1])).value(),
        Op::Call("gl_shift0", x) => field(&x[0]).mul_pow2(get(&x[1])).value(),
        Op::Call("gl_shift32", x) => field(&x[0]).mul_pow2(get(&x[1]) + 32).value(),
        Op::Call("gl_shift64", x) => field(&x[0]).mul_pow2(get(&x[1]) + 64).value(),
        Op::Call(name, _) => panic!("no primitive {name}"),
    }
}
