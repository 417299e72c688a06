//! The example of `FORMAT.md` §1.9 is what the code writes.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use scoresheet_archive::bcgn::{ConvertOptions, Format, Level, import};

/// What stands between two fences.
fn fenced<'a>(text: &'a str, kind: &str) -> &'a str {
    let open = format!("```{kind}\n");
    let start = text.find(&open).expect(kind) + open.len();
    &text[start..start + text[start..].find("```").unwrap()]
}

/// The bytes of a hexdump whose lines are an offset, bytes, two blanks, a remark.
fn bytes(dump: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in dump.lines() {
        let (offset, rest) = line.split_once("  ").unwrap();
        assert_eq!(
            usize::from_str_radix(offset, 16).unwrap(),
            bytes.len(),
            "{line}"
        );
        let (hex, _) = rest.split_once("  ").unwrap();
        let parse = |pair: &str| u8::from_str_radix(pair, 16).unwrap();
        bytes.extend(hex.split_whitespace().map(parse));
    }
    bytes
}

#[test]
fn the_example_of_format_md_is_what_is_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../FORMAT.md");
    let text = fs::read_to_string(path).unwrap();
    let mut file = Vec::new();
    let game = fenced(&text, "pgn").as_bytes();
    let format = Format::new(Level::Packed);
    import(
        game,
        &mut file,
        format,
        &ConvertOptions::default(),
        |_, _| {},
    )
    .unwrap();
    assert_eq!(bytes(fenced(&text, "hex")), file, "{file:02x?}");
}
