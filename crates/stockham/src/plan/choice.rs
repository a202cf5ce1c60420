//! What there is to choose about a transform, as plain data that can be stored and compared. All the
//! rest of a recipe follows from it.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, Result};

use super::beside::{inner, parts};
use super::pass::rows_of;

/// What a planner chooses for a transform, whatever its batch, strides, placement and direction.
///
/// It is written pass by pass, as [`PassChoice`] is, with what [`Launches`] there are before it:
/// `16x16x16.16/16x16x16.16`, `c8/32x16x16.16/32x16x16.16`, `c8x5/128x32x32/4x32x32.32`. So it stands in files, too. What is
/// written is read as the same choice, and nothing else is read; without passes it is none, which neither is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The passes, in their order.
    pub passes: Vec<PassChoice>,
    /// Which of them share a launch.
    pub launches: Launches,
}

/// Which passes share a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Launches {
    /// Each is one.
    #[default]
    Apart,
    /// Two make one, in clusters of work-groups: `c8/`.
    Clusters(Clusters),
    /// There are two, and both make one, through a [ring](super::Ring) in memory: `r/`.
    Ring,
    /// The same, through a ring that is near to its crews: `n/`.
    NearRing,
    /// Each is one, and they make a convolution with a chirp (Bluestein), there and back: `b/`.
    Chirp,
    /// They make such a convolution, all three in one launch of clusters: `bc8/`, or `bc8x5/`.
    ChirpClusters(Clusters),
}

/// The clusters of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clusters {
    /// Work-groups of a cluster.
    pub blocks: usize,
    /// Work-groups that a unit shall have registers for, where that is not left to the planner: `c8x5/`. With more of them,
    /// threads have fewer registers.
    pub side_by_side: Option<usize>,
}

/// What there is to choose about a pass; its DFTs are as long as the product of the stages, or shorter by a chirp.
///
/// It is written COLUMNSxROWSxSTAGE.STAGE…, with the length behind it where that is made by a chirp, a letter for a [`Loading`] that
/// is not direct, and one for products: `16x16x16.16`, `2x9x9.16.15b1009`, `64x4x4f`, `1x32x32.32.16a`, `16x16x16.16ep`. No stages are
/// `1`, and a single one of radix 1 is `1.`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PassChoice {
    /// Columns of a tile.
    pub columns: usize,
    /// Rows of a column for each thread of it, rounded up: they make the threads. In a stage a thread has whole butterflies, and
    /// may have more rows.
    pub per_thread: usize,
    /// The radices of the stages.
    pub stages: Vec<usize>,
    /// How the input comes to the threads.
    pub loading: Loading,
    /// Whether roots of unity between its stages are products of a few that are looked up ([`StageRoots::Products`]) also where
    /// the planner would look up all of them: `p`.
    ///
    /// [`StageRoots::Products`]: super::StageRoots::Products
    pub products: bool,
    /// The length of the pass's DFTs where they are convolutions with a chirp (Bluestein), of as many points as the stages make:
    /// `b1009`.
    pub chirp: Option<usize>,
    /// Whether they are of prime length, one point more than the stages make, and convolutions of these (Rader): `r`.
    pub rader: bool,
    /// A convolution may be a stage beside others: how many of the stages are before it, and after it. There is a
    /// `+` between: `1x8x5+6.7r+7`.
    pub beside: [usize; 2],
}

/// How the input of a tile comes to the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Loading {
    /// Each thread loads its rows.
    #[default]
    Direct,
    /// The tile is loaded, and stored, as one contiguous range ([`Lanes::Flat`](super::Lanes::Flat)): `f`.
    Flat,
    /// Copies bring it to local memory while the work-group is at the tile before ([`Hopper::ahead`](super::Hopper::ahead)):
    /// `a`.
    Ahead,
    /// The same, and half of the next tile comes while the exchange goes on, by component, in the other half of local memory
    /// ([`Hopper::early`](super::Hopper::early)): `e`.
    Early,
}

impl Choice {
    /// Whether there is a convolution with a chirp in it.
    pub(super) fn has_chirp(&self) -> bool {
        matches!(self.launches, Launches::Chirp | Launches::ChirpClusters(_))
            || self.passes.iter().any(|pass| pass.chirp.is_some())
    }

    /// Work-groups of the largest launch of one transform of n points; none if there are no passes.
    pub(super) fn groups(&self, n: usize) -> usize {
        let groups = |pass: &PassChoice| n.div_ceil(pass.radix().unwrap_or(n).saturating_mul(pass.columns).max(1));
        self.passes.iter().map(groups).max().unwrap_or(0)
    }
}

impl Launches {
    /// Clusters of so many work-groups.
    pub(super) fn clusters(blocks: usize) -> Self {
        Self::Clusters(Clusters { blocks, side_by_side: None })
    }

    /// Whether they go through a ring.
    pub(super) fn is_ring(self) -> bool {
        matches!(self, Self::Ring | Self::NearRing)
    }
}

impl Loading {
    /// Those that are not direct, and their letters.
    const LETTERS: [(char, Self); 3] = [('f', Self::Flat), ('a', Self::Ahead), ('e', Self::Early)];

    /// The letter it is written with, or none.
    fn letter(self) -> Option<char> {
        Self::LETTERS.into_iter().find(|(_, loading)| *loading == self).map(|(letter, _)| letter)
    }
}

impl PassChoice {
    /// A pass of such stages, whose threads load their rows, and whose roots come from where the planner takes them.
    pub fn new(columns: usize, per_thread: usize, stages: impl Into<Vec<usize>>) -> Self {
        Self {
            columns,
            per_thread,
            stages: stages.into(),
            loading: Loading::Direct,
            products: false,
            chirp: None,
            rader: false,
            beside: [0; 2],
        }
    }

    /// The length of the pass's DFTs; nothing if it is beyond all numbers.
    pub(super) fn radix(&self) -> Option<usize> {
        if self.beside == [0; 2] {
            return self.chirp.or_else(|| self.product()?.checked_add(usize::from(self.rader)));
        }
        let [before, points, after] = parts(&self.stages, self.beside);
        let points = self.chirp.or_else(|| points.checked_add(usize::from(self.rader)))?;
        points.checked_mul(before)?.checked_mul(after)
    }

    /// What the stages make that are a convolution, or all.
    pub(super) fn convolved(&self) -> Option<usize> {
        self.product().map(|_| parts(&self.stages, self.beside)[1])
    }

    /// The most rows that a thread has in a stage.
    pub(super) fn most_rows(&self) -> usize {
        let (Some(all), Some(points)) = (self.product(), self.radix()) else { return usize::MAX };
        let (threads, inner) = (all.div_ceil(self.per_thread.max(1)), inner(&self.stages, self.beside));
        let rows = |(s, &r): (usize, &usize)| {
            let is_beside = self.beside != [0; 2] && !inner.contains(&s);
            rows_of(if is_beside { points } else { all }, threads, r)
        };
        self.stages.iter().enumerate().map(rows).max().unwrap_or(self.per_thread)
    }

    /// What the stages make; nothing if it is beyond all numbers.
    pub(super) fn product(&self) -> Option<usize> {
        self.stages.iter().try_fold(1usize, |product, &radix| product.checked_mul(radix))
    }

    /// Whether it is a pass at all, with work-groups of at most so many threads.
    pub(super) fn is_sound(&self, max_group: usize) -> bool {
        let Some(radix) = self.product() else { return false };
        if self.beside != [0; 2] && (!self.rader && self.chirp.is_none() || inner(&self.stages, self.beside).is_empty())
        {
            return false;
        }
        (1..=MOST_ROWS.min(radix)).contains(&self.per_thread)
            && self.stages.iter().all(|r| crate::codelet::RADICES.contains(r))
            && self.most_rows() <= MOST_ROWS
            && self.columns > 0
            && radix.div_ceil(self.per_thread).saturating_mul(self.columns) <= max_group
    }
}

/// The letter of a pass whose roots are products.
const PRODUCTS: char = 'p';

/// The letter before the length of a chirp.
const CHIRP: char = 'b';

/// The letter of one of prime length.
const RADER: char = 'r';

/// What is between a convolution's stages and others beside it.
const BESIDE: char = '+';

/// The text of no stages, and of one that does nothing.
const NO_STAGES: &str = "1";
const ONE_STAGE: &str = "1.";

/// Rows of a thread at most: more would make kernels without end.
pub(super) const MOST_ROWS: usize = 64;

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.launches {
            Launches::Apart => {}
            Launches::Clusters(clusters) => write!(f, "{clusters}/")?,
            Launches::ChirpClusters(clusters) => write!(f, "{CHIRP}{clusters}/")?,
            Launches::Ring => f.write_str("r/")?,
            Launches::NearRing => f.write_str("n/")?,
            Launches::Chirp => f.write_str("b/")?,
        }
        let passes: Vec<String> = self.passes.iter().map(ToString::to_string).collect();
        f.write_str(&passes.join("/"))
    }
}

impl fmt::Display for Clusters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}", self.blocks)?;
        self.side_by_side.map_or(Ok(()), |count| write!(f, "x{count}"))
    }
}

impl Clusters {
    /// What is written behind the letter, in a text.
    fn read(clusters: &str, text: &str) -> Result<Self> {
        let (blocks, side_by_side) = match clusters.split_once('x') {
            Some((blocks, count)) => (blocks, Some(number(count, text)?)),
            None => (clusters, None),
        };
        Ok(Self { blocks: number(blocks, text)?, side_by_side })
    }
}

impl fmt::Display for PassChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |stages: &[usize]| match *stages {
            [] => NO_STAGES.into(),
            [1] => ONE_STAGE.into(),
            _ => stages.iter().map(ToString::to_string).collect::<Vec<_>>().join("."),
        };
        let (inner, [before, after]) = (inner(&self.stages, self.beside), self.beside);
        write!(f, "{}x{}x", self.columns, self.per_thread)?;
        if before > 0 {
            write!(f, "{}{BESIDE}", text(&self.stages[..inner.start]))?;
        }
        f.write_str(&text(&self.stages[inner.clone()]))?;
        self.chirp.map_or(Ok(()), |n| write!(f, "{CHIRP}{n}"))?;
        self.rader.then_some(RADER).map_or(Ok(()), |letter| f.write_char(letter))?;
        if after > 0 {
            write!(f, "{BESIDE}{}", text(&self.stages[inner.end..]))?;
        }
        let products = self.products.then_some(PRODUCTS);
        self.loading.letter().into_iter().chain(products).try_for_each(|letter| f.write_char(letter))
    }
}

impl FromStr for Choice {
    type Err = Error;
    /// Reads what is [written](fmt::Display).
    fn from_str(text: &str) -> Result<Self> {
        let (launches, passes) = match text.split_once('/') {
            Some(("r", passes)) => (Launches::Ring, passes),
            Some(("n", passes)) => (Launches::NearRing, passes),
            Some(("b", passes)) => (Launches::Chirp, passes),
            Some((launches, passes)) if launches.starts_with('c') => {
                (Launches::Clusters(Clusters::read(&launches[1..], text)?), passes)
            }
            Some((launches, passes)) if launches.starts_with("bc") => {
                (Launches::ChirpClusters(Clusters::read(&launches[2..], text)?), passes)
            }
            _ => (Launches::Apart, text),
        };
        Ok(Self { passes: passes.split('/').map(str::parse).collect::<Result<_>>()?, launches })
    }
}

impl FromStr for PassChoice {
    type Err = Error;
    /// Reads what is [written](fmt::Display).
    fn from_str(text: &str) -> Result<Self> {
        let (rest, products) = text.strip_suffix(PRODUCTS).map_or((text, false), |rest| (rest, true));
        let lettered = |(letter, loading)| rest.strip_suffix(letter).map(|pass| (pass, loading));
        let (pass, loading) = Loading::LETTERS.into_iter().find_map(lettered).unwrap_or((rest, Loading::Direct));
        let [columns, per_thread, stages] = pass.split('x').collect::<Vec<_>>()[..] else { return Err(unread(text)) };
        let radices = |stages: &str| match stages {
            NO_STAGES => Ok(Vec::new()),
            ONE_STAGE => Ok(vec![1]),
            _ => stages.split('.').map(|radix| number(radix, text)).collect::<Result<Vec<_>>>(),
        };
        // The others beside a convolution are before its stages, or behind its letter.
        let is_convolution = |part: &&str| part.contains([CHIRP, RADER]);
        let parts: Vec<&str> = stages.split(BESIDE).collect();
        let at = parts.iter().position(is_convolution).unwrap_or(0);
        let (before, [inner, after @ ..]) = parts.split_at(at) else { return Err(unread(text)) };
        if before.len() > 1 || after.len() > 1 || !is_convolution(inner) && parts.len() > 1 {
            return Err(unread(text));
        }
        let beside = |part: &[&str]| -> Result<Vec<usize>> {
            let stages = part.iter().map(|part| radices(part)).collect::<Result<Vec<_>>>()?.concat();
            if part.is_empty() == stages.is_empty() { Ok(stages) } else { Err(unread(text)) }
        };
        let (before, after) = (beside(before)?, beside(after)?);
        let (inner, rader) = inner.strip_suffix(RADER).map_or((*inner, false), |inner| (inner, true));
        let (inner, chirp) = match inner.split_once(CHIRP) {
            Some((inner, n)) => (inner, Some(number(n, text)?)),
            None => (inner, None),
        };
        let beside = [before.len(), after.len()];
        let stages = [before, radices(inner)?, after].concat();
        Ok(Self {
            columns: number(columns, text)?,
            per_thread: number(per_thread, text)?,
            stages,
            loading,
            products,
            chirp,
            rader,
            beside,
        })
    }
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if self.passes.is_empty() {
            return Err(serde::ser::Error::custom("a choice without passes is none"));
        }
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

fn number(digits: &str, of: &str) -> Result<usize> {
    // Without signs, and zeros that say nothing.
    digits.parse().ok().filter(|number: &usize| number.to_string() == digits).ok_or_else(|| unread(of))
}

fn unread(text: &str) -> Error {
    let form = "passes are COLUMNSxROWSxSTAGE.STAGE…, bLENGTH behind for a length by a chirp, an r for one of one point more by Rader, with STAGES+ before these and +STAGES behind that where there are others beside it, an f for flat tiles, an a for those that are fetched ahead or \
                an e where half of the next one comes early, then a p where roots are products, with a / between them and \
                cBLOCKS/ before those of a cluster, or cBLOCKSxCOUNT/ with so many work-groups side by side, r/ before those of \
                a ring, n/ before those of a near one, or b/ before those of a convolution with a chirp, bcBLOCKS/ in clusters";
    Error::InvalidTransform(format!("'{text}' is no choice: {form}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "16x16x16.16/16x16x16.16",
            "c8/32x16x16.16/32x16x16.16",
            "c16x5/64x32x32.2/4x32x32.32",
            "64x4x4f",
            "256x1x1",
            "1x32x32.32.16a",
            "r/8x16x16.16a/8x16x16.16a",
            "n/8x16x16.16a/8x16x16.16a",
            "r/8x16x16.16a/8x16x16.16e",
            "n/8x16x16.16ap/8x16x16.16ep",
            "b/16x9x9.9/1x8x8.8.8/16x9x9.9",
            "bc4/24x24x24.4/24x24x24.4/24x24x24.4",
            "bc16x2/24x24x24.16p/24x24x24.16/24x24x24.16",
            "16x16x16.16p/16x16x16.16",
            "1x8x16.8.16b1009",
            "1x8x16.9.7r",
            "2x8x16.9.7rp",
            "1x8x5+6.7r+7",
            "1x8x7.5+6.7r",
            "2x8x6.7r+3p",
            "1x8x5+9.10b43",
            "16x16x16.16/4x8x8.8.2b61p",
        ] {
            let choice: Choice = text.parse().unwrap();
            assert_eq!(choice.to_string(), text);
            let json = serde_json::to_string(&choice).unwrap();
            assert_eq!((&json, &serde_json::from_str(&json).unwrap()), (&format!("\"{text}\""), &choice));
        }
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        for text in [
            "",
            "c8",
            "c8/",
            "r/",
            "rc8/16x16x16",
            "16x16",
            "16x16x",
            "16x16x16.x",
            "16x16x16/",
            "cx/16x16x16",
            "b",
            "b/",
            "bc/4x4x4/4x4x4/4x4x4",
            "bc4",
            "c8x/16x16x16",
            "cx5/16x16x16",
            "c8x5x1/16x16x16",
            "-1x4x4",
            "1x4x4x4",
            "1x4x4fa",
            "1x4x4pa",
            "1x4x4pp",
            "+1x4x4",
            "1x04x4",
            "c08/16x16x16",
            "c8x+5/16x16x16",
            "1x4x1.1.",
            "1x4x4.",
            "1x4x4b",
            "1x4x4b03",
            "1x4x4b3b3",
            "1x4x4fb3",
            "1x4x4+4",
            "1x4x4+6r+3+3",
            "1x4x4+3+6r",
            "1x4x+6r",
            "1x4x6r+",
            "1x4x1+6r",
        ] {
            let found = text.parse::<Choice>();
            assert!(matches!(&found, Err(Error::InvalidTransform(why)) if why.contains("is no choice")), "{found:?}");
        }
    }

    fn any_number() -> impl Strategy<Value = usize> {
        prop_oneof![0usize..20, Just(usize::MAX)]
    }

    fn any_pass() -> impl Strategy<Value = PassChoice> {
        let loadings = [Loading::Direct, Loading::Flat, Loading::Ahead, Loading::Early];
        let stages = prop::collection::vec(prop_oneof![Just(1), any_number()], 0..4);
        let chirp = prop::option::of(any_number());
        let flags = (any::<bool>(), any::<bool>());
        (any_number(), any_number(), stages, prop::sample::select(loadings.to_vec()), flags, chirp).prop_map(
            |(columns, per_thread, stages, loading, (products, rader), chirp)| PassChoice {
                columns,
                per_thread,
                stages,
                loading,
                products,
                chirp,
                rader,
                beside: [0; 2],
            },
        )
    }

    fn any_choice() -> impl Strategy<Value = Choice> {
        let clusters = || {
            (any_number(), prop::option::of(any_number()))
                .prop_map(|(blocks, side_by_side)| Clusters { blocks, side_by_side })
        };
        let launches = prop_oneof![
            Just(Launches::Apart),
            clusters().prop_map(Launches::Clusters),
            clusters().prop_map(Launches::ChirpClusters),
            Just(Launches::Ring),
            Just(Launches::NearRing),
            Just(Launches::Chirp)
        ];
        (prop::collection::vec(any_pass(), 0..4), launches).prop_map(|(passes, launches)| Choice { passes, launches })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn whatever_is_chosen_is_read_as_it_was_written(choice in any_choice()) {
            let (text, json) = (choice.to_string(), serde_json::to_string(&choice));
            if choice.passes.is_empty() {
                prop_assert!(matches!(text.parse::<Choice>(), Err(Error::InvalidTransform(_))), "{text}");
                prop_assert!(json.is_err());
            } else {
                prop_assert_eq!(text.parse::<Choice>(), Ok(choice.clone()));
                prop_assert_eq!(serde_json::from_str::<Choice>(&json.unwrap()).unwrap(), choice);
            }
        }

        #[test]
        fn whatever_is_read_is_written_as_it_was(
            launches in "(|r/|n/|b/|c[0-9]{1,2}(x[+0-9]{1,2})?/)",
            passes in prop::collection::vec("[0-9]{1,2}x[0-9]{1,2}x[+0-9]{1,2}(\\.[0-9]{0,2}){0,3}(b[0-9]{1,3})?r?[fae]?p?", 1..3),
        ) {
            let text = launches + &passes.join("/");
            if let Ok(choice) = text.parse::<Choice>() {
                prop_assert_eq!(choice.to_string(), text);
            }
        }
    }
}
