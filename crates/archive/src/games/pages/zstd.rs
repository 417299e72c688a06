//! Pages to zstd and back. To make a context asks what the CPU can, which takes longer than to compress a
//! small page where a machine is virtual: so each thread has one and uses it again.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::compress_bound;

thread_local! {
    static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// After a page of more bytes the context is given up.
const MOST_KEPT: usize = 4 << 20;

/// Compresses a page at a level; what was in `out` before is gone.
pub(super) fn compress(page: &[u8], level: i32, out: &mut Vec<u8>) -> io::Result<()> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let known = kept.take().filter(|(own, _)| *own == level);
        let mut compressor = match known {
            Some((_, compressor)) => compressor,
            None => Compressor::new(level)?,
        };
        out.clear();
        out.reserve(compress_bound(page.len()));
        compressor.compress_to_buffer(page, out)?;
        // Not the tables for a page far larger than others.
        *kept = Some((level, compressor)).filter(|_| page.len() <= MOST_KEPT);
        Ok(())
    })
}

/// Decompresses a page that has so many bytes; what was in `out` before is gone.
pub(super) fn decompress(packed: &[u8], size: usize, out: &mut Vec<u8>) -> io::Result<()> {
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let mut decompressor = match kept.take() {
            Some(decompressor) => decompressor,
            None => Decompressor::new()?,
        };
        out.clear();
        out.reserve(size);
        let found = decompressor.decompress_to_buffer(packed, out)?;
        *kept = Some(decompressor);
        if found != size {
            return Err(io::Error::other("not as long as announced"));
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Random;

    #[test]
    fn pages_come_back_at_any_level() {
        let mut random = Random::new(2);
        let page: String = (0..40_000)
            .map(|_| ["Kasparov, Garry", "Karpov", "1-0"][random.below(3)])
            .collect();
        let page = page.as_bytes();
        let (mut packed, mut back) = (Vec::new(), Vec::new());
        let mut sizes = Vec::new();
        for level in [1, 19] {
            compress(page, level, &mut packed).unwrap();
            decompress(&packed, page.len(), &mut back).unwrap();
            assert!(back == page);
            sizes.push(packed.len());
            // Of another size than was announced, or cut off.
            assert!(decompress(&packed, page.len() - 1, &mut back).is_err());
            assert!(decompress(&packed, page.len() + 1, &mut back).is_err());
            assert!(decompress(&packed[1..], page.len(), &mut back).is_err());
        }
        assert!(sizes[1] < sizes[0]);
        compress(&[], 1, &mut packed).unwrap();
        decompress(&packed, 0, &mut back).unwrap();
        assert!(back.is_empty());
    }

    #[test]
    fn what_a_thread_has_compressed_before_makes_no_difference() {
        let mut random = Random::new(4);
        let mut page = |length: usize| -> Vec<u8> {
            let step = 1 + random.below(40);
            (0..length)
                .map(|i| (i / step + random.below(3)).to_le_bytes()[0])
                .collect()
        };
        let pages: Vec<Vec<u8>> = (0..60)
            .map(|i| page([0, 10, 3000, 90_000][i % 4]))
            .collect();
        let once = |page: &Vec<u8>, level| {
            let mut packed = Vec::new();
            compress(page, level, &mut packed).unwrap();
            packed
        };
        for level in [1, 3, 5, 7, 12, 19] {
            let alone = |page: &Vec<u8>| {
                let page = page.clone();
                std::thread::spawn(move || once(&page, level)).join()
            };
            for page in &pages {
                assert!(once(page, level) == alone(page).unwrap());
            }
        }
    }
}
