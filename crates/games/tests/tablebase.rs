use spinney_games::chess::tablebase::*;
#[test]
fn longest() {
    let t = std::time::Instant::now();
    let men: u32 = std::env::var("MEN").map_or(3, |m| m.parse().unwrap());
    let tb = Tablebases::build(men, |e| eprintln!("{e} {:?}", t.elapsed()));
    for e in Ending::up_to(men) {
        println!("{e} {:?}", tb.longest(e).map(|p| p.div_ceil(2)));
    }
}
