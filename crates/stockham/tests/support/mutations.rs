//! Recipes in which things were changed, as in a file that was edited by hand or damaged: the same changes for all tests.

use serde_json::{Value, json};

/// Numbers without end (S. Vigna, "An experimental exploration of Marsaglia's xorshift generators", SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }
}

/// Words that stand in the place of each other.
const WORDS: [&[&str]; 9] = [
    &["Input", "Output", "Workspace", "Ring", "Cluster"],
    &["Rows", "Columns", "Flat"],
    &["scalar", "vectors"],
    &["lookups", "products"],
    &["tables", "columns"],
    &["Even", "ByAge", "Drawn"],
    &["Forward", "Inverse"],
    &["OutOfPlace", "InPlace"],
    &["plain", "sliced"],
];

/// What may stand where there is nothing.
fn in_place_of_nothing(name: &str, random: &mut Random) -> Value {
    let small = random.one_of(&[0, 1, 2, 3, 4, 8, 16, 64, 128, 1024]);
    match name {
        "cluster" => json!({"blocks": 2, "padding": padding(random), "start": small}),
        "share" => json!({"digit": random.below(3), "values": small}),
        "ring" => json!({"crew": 2, "crews": 1, "near": null, "keeps": false, "sharing": "Even"}),
        "twiddle" => json!({"order": 16, "split": 16, "source": "tables"}),
        _ => json!(small),
    }
}

fn padding(random: &mut Random) -> Value {
    json!({"row": 1, "column": random.below(33), "shift": random.below(8), "skip": random.below(3)})
}

/// Where something is in a document, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), found)),
        Value::Object(fields) => fields.iter().for_each(|(name, v)| places(v, &format!("{at}/{name}"), found)),
        _ => {}
    }
    found.push(at.to_owned());
}

fn number(x: u64, others: &[u64], random: &mut Random) -> u64 {
    match random.below(10) {
        0 | 1 => random.one_of(others),
        2 => x.wrapping_sub(1),
        3 => x.wrapping_add(1),
        4 => x / 2,
        5 => x.wrapping_mul(2),
        6 => x.wrapping_mul(3),
        7 => random.next() % 40,
        8 => x.wrapping_add(random.one_of(&[16, 1024, 1 << 20])),
        _ => random.one_of(&[0, 1, 2, 4, 1 << 31, 1 << 33, 1 << 63, u64::MAX]),
    }
}

/// Changes one thing.
fn change_one(document: &mut Value, random: &mut Random) {
    let mut found = Vec::new();
    places(document, "", &mut found);
    let numbers: Vec<u64> = found.iter().filter_map(|place| document.pointer(place)?.as_u64()).collect();
    let place = random.one_of(&found);
    let name = place.rsplit('/').next().unwrap_or_default();
    let Some(value) = document.pointer_mut(&place) else { return };
    match value {
        Value::Bool(is) => *is = !*is,
        Value::Number(x) => *value = json!(number(x.as_u64().unwrap_or(1), &numbers, random)),
        Value::String(word) => {
            let family = WORDS.into_iter().find(|words| words.contains(&word.as_str())).unwrap_or(&["tables"]);
            *value = json!(random.one_of(family));
        }
        Value::Null => *value = in_place_of_nothing(name, random),
        Value::Array(values) if values.is_empty() => values.push(json!(2)),
        Value::Array(values) => {
            let (i, j) = (random.below(values.len()), random.below(values.len()));
            match random.below(4) {
                0 => drop(values.remove(i)),
                1 => values.push(values[i].clone()),
                _ => values.swap(i, j),
            }
        }
        // What is not there takes its default; or it is what recipes without it have.
        Value::Object(fields) if random.below(8) == 0 => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = random.one_of(&names);
            fields[&name] = Value::Null;
        }
        Value::Object(_) => {}
    }
}

/// Changes one thing to three.
pub fn change(document: &Value, random: &mut Random) -> Value {
    let mut changed = document.clone();
    for _ in 0..=random.below(3) {
        change_one(&mut changed, random);
    }
    changed
}
