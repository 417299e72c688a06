//! What each byte means at the start of a token of the movetext.

pub(crate) const OTHER: u8 = 0;
pub(crate) const SPACE: u8 = 1;
pub(crate) const LETTER: u8 = 2;
pub(crate) const DIGIT: u8 = 3;
pub(crate) const DOT: u8 = 4;
pub(crate) const BRACE: u8 = 5;
pub(crate) const OPEN: u8 = 6;
pub(crate) const CLOSE: u8 = 7;
pub(crate) const DOLLAR: u8 = 8;
pub(crate) const MARK: u8 = 9;
pub(crate) const STAR: u8 = 10;
pub(crate) const SEMICOLON: u8 = 11;
pub(crate) const BRACKET: u8 = 12;
pub(crate) const PERCENT: u8 = 13;
/// `-`, `+`, `=`: a null move or a sign such as `+-`.
pub(crate) const SIGN: u8 = 14;

const fn class_of(byte: u8) -> u8 {
    match byte {
        b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | 0 => SPACE,
        b'a'..=b'z' | b'A'..=b'Z' | b'@' => LETTER,
        b'0'..=b'9' => DIGIT,
        b'.' => DOT,
        b'{' => BRACE,
        b'(' => OPEN,
        b')' => CLOSE,
        b'$' => DOLLAR,
        b'!' | b'?' => MARK,
        b'*' => STAR,
        b';' => SEMICOLON,
        b'[' => BRACKET,
        b'%' => PERCENT,
        b'-' | b'+' | b'=' => SIGN,
        _ => OTHER,
    }
}

/// Bytes that go on with a token of letters, digits and signs. Not 0xA0 and 0xC2, the bytes of
/// no-break spaces: those part tokens like other spaces.
const fn is_symbol(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'+' | b'#' | b'=' | b':' | b'/' | b'@' | b'_' | 0x80..=0x9f | 0xa1..=0xc1 | 0xc3..)
}

/// Bytes at which the fast skip must stop and look, and a few more: written as few comparisons, for
/// it is done to sixteen bytes at a time.
#[inline(always)]
pub(crate) const fn landmark(byte: u8) -> bool {
    // `;` `[` `{` differ in two bits only, and so do `%` `-` `/` (and `'`, which does no harm).
    let is_opener = byte & 0x9f == 0x1b;
    let is_dash = byte & 0xf5 == 0x25;
    let is_paren = (byte & 0xfe == 0x28) | (byte == b'*');
    is_opener | is_dash | is_paren | (byte == b'\n') | (byte >= 0x80)
}

macro_rules! table {
    ($function:ident, $type:ty) => {{
        let mut table: [$type; 256] = [$function(0); 256];
        let mut byte = 0u8;
        loop {
            // A `for` loop is not allowed in a constant; the index is a byte, so it fits.
            #[allow(clippy::indexing_slicing)]
            {
                table[byte as usize] = $function(byte);
            }
            if byte == 255 {
                break table;
            }
            byte += 1;
        }
    }};
}

static CLASS: [u8; 256] = table!(class_of, u8);
static SYMBOL: [bool; 256] = table!(is_symbol, bool);

/// The class of a byte. The tables have an entry for every byte: no access can fail.
#[inline(always)]
#[allow(clippy::indexing_slicing)]
pub(crate) fn class(byte: u8) -> u8 {
    CLASS[usize::from(byte)]
}

#[inline(always)]
#[allow(clippy::indexing_slicing)]
pub(crate) fn symbol(byte: u8) -> bool {
    SYMBOL[usize::from(byte)]
}
