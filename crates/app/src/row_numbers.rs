//! Numbers of games on the command line: `1,5,10-20,100-`.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Numbers of games, from 1, in the order in which they were asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowNumbers(pub Vec<RangeInclusive<u64>>);

impl FromStr for RowNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<RowNumbers, String> {
        let range = |part: &str| -> Option<RangeInclusive<u64>> {
            let number = |text: &str| text.trim().parse().ok().filter(|&number| number > 0);
            let (first, last) = match part.split_once('-') {
                None => (number(part)?, number(part)?),
                Some((first, last)) if last.trim().is_empty() => (number(first)?, u64::MAX),
                Some((first, last)) => (number(first)?, number(last)?),
            };
            (first <= last).then_some(first..=last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let expected = "expected numbers of games from 1, such as 7 or 1,5,10-20,100-";
        ranges.map(RowNumbers).ok_or_else(|| expected.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_in_any_order() {
        let parse = |text: &str| text.parse::<RowNumbers>().map(|numbers| numbers.0);
        assert_eq!(parse("7"), Ok(vec![7..=7]));
        assert_eq!(parse("5,1, 10-20"), Ok(vec![5..=5, 1..=1, 10..=20]));
        assert_eq!(parse("100-"), Ok(vec![100..=u64::MAX]));
        for bad in [
            "",
            "0",
            "a",
            "3-2",
            "-5",
            "1,,2",
            "1-2-3",
            "99999999999999999999",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
