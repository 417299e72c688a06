//! The magic numbers in the source are the ones that the program finds.

#[path = "../examples/find_magics.rs"]
mod find_magics;

#[test]
fn the_finder_finds_the_magics_of_the_source() {
    assert!(
        find_magics::file() == include_str!("../src/attacks/magics.rs"),
        "run find_magics again"
    );
}
