//! Choices as text, which files and messages have.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::beside::inner;
use super::{Choice, Clusters, Launches, Loading, PassChoice};
use crate::error::{Error, Result};

/// The letter of a pass whose roots are products.
const PRODUCTS: char = 'p';

/// The letter before the length of a chirp.
const CHIRP: char = 'b';

/// The letter before how many work-groups are side by side.
const SIDE_BY_SIDE: char = 's';

/// The letter of one of prime length.
const RADER: char = 'r';

/// What is between a convolution's stages and others beside it.
const BESIDE: char = '+';

/// The text of no stages, and of one that does nothing.
const NO_STAGES: &str = "1";
const ONE_STAGE: &str = "1.";

impl Loading {
    /// Those that are not direct, and their letters.
    const LETTERS: [(char, Self); 3] = [('f', Self::Flat), ('a', Self::Ahead), ('e', Self::Early)];

    /// The letter it is written with, or none.
    fn letter(self) -> Option<char> {
        Self::LETTERS.into_iter().find(|(_, loading)| *loading == self).map(|(letter, _)| letter)
    }
}

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
        self.loading.letter().into_iter().chain(products).try_for_each(|letter| f.write_char(letter))?;
        self.side_by_side.map_or(Ok(()), |count| write!(f, "{SIDE_BY_SIDE}{count}"))
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
        let (rest, side_by_side) = match text.rsplit_once(SIDE_BY_SIDE) {
            Some((rest, count)) => (rest, Some(number(count, text)?)),
            None => (text, None),
        };
        let (rest, products) = rest.strip_suffix(PRODUCTS).map_or((rest, false), |rest| (rest, true));
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
            side_by_side,
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
                an e where half of the next one comes early, then a p where roots are products and sCOUNT for so many work-groups \
                side by side, with a / between them and cBLOCKS/ before those of a cluster, or cBLOCKSxCOUNT/ with so many work-groups side by side, r/ before those of \
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
            "1x32x32.16.12b3049s2",
            "4x16x16.9.7rps10/1x8x8s3",
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
            "1x4x4s",
            "1x4x4s03",
            "1x4x4s2s2",
            "1x4x4s2p",
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
        let of_tile = (any_number(), any_number(), prop::option::of(any_number()));
        (of_tile, stages, prop::sample::select(loadings.to_vec()), flags, chirp).prop_map(
            |((columns, per_thread, side_by_side), stages, loading, (products, rader), chirp)| PassChoice {
                columns,
                per_thread,
                stages,
                loading,
                products,
                chirp,
                rader,
                beside: [0; 2],
                side_by_side,
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
            passes in prop::collection::vec("[0-9]{1,2}x[0-9]{1,2}x[+0-9]{1,2}(\\.[0-9]{0,2}){0,3}(b[0-9]{1,3})?r?[fae]?p?(s[0-9]{1,2})?", 1..3),
        ) {
            let text = launches + &passes.join("/");
            if let Ok(choice) = text.parse::<Choice>() {
                prop_assert_eq!(choice.to_string(), text);
            }
        }
    }
}
