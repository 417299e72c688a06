//! Bytes to text: PGN is UTF-8 in new files and Latin-1 in old ones, and no file says which.

use std::borrow::Cow;

/// The text as UTF-8 if it is that, and as Latin-1 otherwise. Nothing is lost: every byte
/// becomes a character.
///
/// ```
/// use scoresheet_pgn::decode_text;
/// assert_eq!(decode_text("Grünfeld".as_bytes()), "Grünfeld");
/// assert_eq!(decode_text(b"Gr\xfcnfeld"), "Grünfeld");
/// ```
#[must_use]
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}
