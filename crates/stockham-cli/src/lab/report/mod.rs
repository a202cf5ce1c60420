//! The report: a page of Markdown with the study's tables, and its pictures as SVG and PNG beside it.

mod findings;
mod plots;
mod tables;

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::input;
use crate::origin;
use crate::output;
use crate::plot::{self, Format, Picture};

use super::record::Study;

/// The words around the tables. `{{name}}` stands for a table.
const STORY: &str = include_str!("story.md");

/// The page's name in its folder; pictures go to a folder beside it.
const PAGE: &str = "lab.md";
const PICTURES: &str = "lab";

/// Makes the folders, so that a report that cannot be written is known before hours of measuring.
pub fn prepare(folder: &Path) -> Result<()> {
    let pictures = folder.join(PICTURES);
    fs::create_dir_all(&pictures).map_err(Error::write(&pictures))
}

/// Reads a study that was written as JSON.
pub fn read(path: &Path) -> Result<Study> {
    let bytes = input::read(path)?;
    serde_json::from_slice(&bytes).map_err(|error| Error::input(format!("{} is no study: {error}", path.display())))
}

/// Writes page and pictures.
pub fn write(folder: &Path, studies: &[Study]) -> Result<()> {
    prepare(folder)?;
    let pictures = |draw: fn(&Study) -> Option<Picture>, name: &str, alt: &str| -> Result<String> {
        let mut links = Vec::new();
        for study in studies {
            let file = format!("{name}-{}", file_name(study));
            let Some(picture) = draw(study) else { continue };
            for (format, extension) in [(Format::Svg, "svg"), (Format::Png, "png")] {
                plot::save(&picture, format, &folder.join(PICTURES).join(format!("{file}.{extension}")))?;
            }
            links.push((study, format!("![{alt}, {}]({PICTURES}/{file}.svg)", tables::name(study))));
        }
        Ok(tables::folded(links))
    };
    let parts = [
        ("command", origin::command()),
        ("machines", tables::machines(studies)),
        ("chains", tables::chains(studies)),
        ("chain-findings", findings::chains(studies)),
        ("chain-pictures", pictures(plots::chains, "chains", "Time of chains by radix")?),
        ("programs", tables::programs(studies)),
        ("program-findings", findings::programs(studies)),
        ("program-pictures", pictures(plots::programs, "programs", "Transforms a second by length")?),
        ("planar", tables::entries(studies, |study| &study.planar)),
        ("later", tables::entries(studies, |study| &study.later)),
        ("batches", tables::batches(studies)),
        ("batch-findings", findings::batches(studies)),
        ("ladder-findings", findings::ladder(studies)),
        ("ladder", tables::entries(studies, |study| &study.ladder)),
        ("ladder-pictures", pictures(plots::ladder, "ladder", "The ladder")?),
        ("field-ladder", tables::entries(studies, |study| &study.field_ladder)),
        ("primes", tables::primes(studies)),
        ("prime-operations", tables::prime_operations(studies)),
        (
            "montgomery-pictures",
            pictures(plots::to_montgomery, "montgomery", "Montgomery's arithmetic ÷ special prime")?,
        ),
        ("residue-pictures", pictures(plots::to_residues, "residues", "Residues ÷ special prime")?),
    ];
    let page = filled(STORY, &parts) + "\n" + &tables::failures(studies);
    output::write(&folder.join(PAGE), format!("{}\n", page.trim_end()).as_bytes())
}

/// The story with its tables, without the sections that have none of theirs.
fn filled(story: &str, parts: &[(&str, String)]) -> String {
    let of = |section: &str| -> (String, bool) {
        let mut text = section.to_owned();
        let (mut asked, mut found) = (false, false);
        for (name, part) in parts {
            let place = format!("{{{{{name}}}}}");
            if text.contains(&place) {
                (asked, found) = (true, found || !part.trim().is_empty());
                text = text.replace(&place, part.trim_end());
            }
        }
        (text, found || !asked)
    };
    let sections = story.split("\n## ").map(of).filter(|(_, is_told)| *is_told);
    sections.map(|(text, _)| text).collect::<Vec<_>>().join("\n## ")
}

/// `nvidia-h200-cuda-0-n24`: what tells the studies' pictures apart.
fn file_name(study: &Study) -> String {
    let device = format!("{} {}", study.origin.device.name, study.origin.device.id).to_lowercase();
    let words: Vec<&str> = device.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!("{}-n{}", words.join("-"), study.n.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_story_asks_for_tables_that_there_are() {
        let names = [
            "command",
            "machines",
            "chains",
            "chain-findings",
            "chain-pictures",
            "programs",
            "program-findings",
            "program-pictures",
            "planar",
            "later",
            "batches",
            "batch-findings",
            "ladder",
            "ladder-findings",
            "ladder-pictures",
            "field-ladder",
            "primes",
            "prime-operations",
            "montgomery-pictures",
            "residue-pictures",
        ];
        let asked: Vec<&str> = STORY.split("{{").skip(1).filter_map(|rest| rest.split("}}").next()).collect();
        assert!(names.iter().all(|name| asked.contains(name)), "{asked:?}");
        assert!(asked.iter().all(|name| names.contains(name)), "{asked:?}");
    }

    #[test]
    fn sections_without_tables_are_left_out() {
        let story = "# Story\n\n{{a}}\n\n## One\n\n{{a}}\n\n## Two\n\n{{b}}\n\n{{c}}\n\n## Three\n\nWords.\n";
        let parts = |b: &str| [("a", "A".to_owned()), ("b", b.to_owned()), ("c", String::new())];
        let whole = filled(story, &parts("B"));
        assert_eq!(whole, "# Story\n\nA\n\n## One\n\nA\n\n## Two\n\nB\n\n\n\n## Three\n\nWords.\n");
        assert_eq!(filled(story, &parts("")), "# Story\n\nA\n\n## One\n\nA\n\n## Three\n\nWords.\n");
    }
}
