//! What the threads of a work-group do together, and the input of tiles that are fetched.

use super::super::hopper::{Ahead, Meeting};
use super::super::ir::Kernel;
use super::Block;
use super::memory::{Global, NEXT, Tile, Time};
use crate::plan::Pieces;

/// Where a piece of a tile goes, as if the ring were as long as all there is: to the parts of the transform that the second
/// pass's tiles are, each of which has a block from each work-group of the crew.
pub(super) fn place_of_piece(kernel: &Kernel, group: usize, number: usize) -> Result<u64, String> {
    let Pieces { crew, tile, block, piece, .. } = kernel.hopper.pieces.ok_or("a list of places without pieces")?;
    let (to, part) = (number * piece / block, number * piece % block);
    if to >= crew {
        return Err(format!("places[{number}] read out of bounds"));
    }
    Ok((group / crew * crew * tile + to * tile + group % crew * block + part) as u64)
}

/// Where a block is in the fetched tile, as if none was kept.
pub(super) fn start_of_block(kernel: &Kernel, number: usize) -> Result<u64, String> {
    let Pieces { crew, block, .. } = kernel.hopper.pieces.ok_or("blocks of a tile without any")?;
    if number < crew { Ok((number * block) as u64) } else { Err(format!("block {number} of {crew}")) }
}

/// What the threads of each work-group of a cluster do together.
pub(super) fn meet(
    kernel: &Kernel,
    global: &Global<'_>,
    meeting: Meeting,
    blocks: &[Block],
    tiles: &mut [Tile],
    time: &mut Time,
) -> Result<(), String> {
    match meeting {
        Meeting::Expect { .. } if time.expects.is_some() => return Err("it expects pushes twice".into()),
        Meeting::Expect { places, tells } => {
            time.expects = Some(places);
            time.told += usize::from(tells);
        }
        Meeting::Done => time.told += 1,
        Meeting::ClusterBegun if time.expects.is_none() || time.told == time.begun => {
            return Err("a wait for what nobody does".into());
        }
        Meeting::ClusterBegun => time.begun += 1,
        Meeting::Received { exchange } => {
            let expected = time.expects.map(|places| places[exchange]);
            if let Some(tile) = tiles.iter().find(|tile| Some(tile.pushed[exchange]) != expected) {
                return Err(format!("{} pushes come, and {expected:?} are expected", tile.pushed[exchange]));
            }
            time.received[exchange] = Some(time.told);
        }
        Meeting::Fetched => {
            let ahead = kernel.hopper.ahead.as_ref().ok_or("a wait for what nobody fetches")?;
            for (tile, block) in tiles.iter_mut().zip(blocks).filter(|_| !ahead.loads) {
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
            let ahead = kernel.hopper.ahead.as_ref().ok_or("a tile that nobody fetches")?;
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
