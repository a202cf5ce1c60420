//! The laws that every transform obeys, on every device of this machine, or on the one that the environment variable
//! `STOCKHAM_TEST_DEVICE` names.

mod ahead;
mod big_primes;
mod candidates;
mod chirp_clusters;
mod clusters;
mod common;
mod descriptions;
mod dimensions;
mod expressions;
mod filters;
mod forms;
mod guards;
mod halves;
mod host_runner;
mod layouts;
#[path = "../support/lengths.rs"]
mod lengths;
mod lent;
mod long_chirps;
mod misuse;
#[path = "../support/mutations.rs"]
mod mutations;
mod numbers_in_twos;
mod prime_fields;
mod products;
mod random_expressions;
mod random_filters;
mod real_launches;
mod recipes;
mod repeats;
mod repetition;
mod residues;
mod slices;
mod smooth;
mod staging;
mod teams;
mod tuning;
mod values;
mod wisdom;
mod word_fields;
