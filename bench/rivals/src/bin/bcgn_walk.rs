//! Walks through a large BCGN file by its lengths, beside `cat` of the same file.
//!
//! usage: bcgn_walk FILE.bcgn

use std::fs::File;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use scoresheet_archive::bcgn::Reader;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: bcgn_walk FILE.bcgn");
        return ExitCode::from(2);
    };
    let length = std::fs::metadata(&path).map_or(0, |about| about.len()) as f64;
    let mut best = [0f64; 3];
    let mut games = [0; 2];
    for _ in 0..7 {
        let start = Instant::now();
        let mut reader =
            Reader::new(File::open(&path).expect("it can be opened")).expect("it is BCGN");
        games[0] = reader.skip_games(u64::MAX).expect("its entries are whole");
        best[0] = best[0].max(length / start.elapsed().as_secs_f64());

        let start = Instant::now();
        let mut reader =
            Reader::new(File::open(&path).expect("it can be opened")).expect("it is BCGN");
        let mut elo = 0u64;
        games[1] = 0;
        while let Some(entry) = reader.next_entry().expect("its entries are whole") {
            elo += u64::from(
                entry
                    .header()
                    .expect("its headers are right")
                    .info
                    .white_elo,
            );
            games[1] += 1;
        }
        std::hint::black_box(elo);
        best[1] = best[1].max(length / start.elapsed().as_secs_f64());

        let start = Instant::now();
        let status = Command::new("cat")
            .arg(&path)
            .stdout(Stdio::null())
            .status();
        assert!(status.is_ok_and(|status| status.success()));
        best[2] = best[2].max(length / start.elapsed().as_secs_f64());
    }
    assert_eq!(games[0], games[1]);
    println!("{} games, {length} bytes; GB/s, best of 7", games[0]);
    for (name, rate) in ["walk", "walk, headers read", "cat to /dev/null"]
        .iter()
        .zip(best)
    {
        println!("{name:20} {:.2}", rate / 1e9);
    }
    ExitCode::SUCCESS
}
