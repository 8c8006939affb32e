use landform::{Inputs, Recipe};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let plan = Recipe::parse(&text).unwrap().resolve(&Inputs::default()).unwrap();
    let terrain = plan.run(&plan.lattice().whole(), &()).unwrap();
    let bytes: Vec<u8> = terrain.height().samples().iter().flat_map(|h| h.to_le_bytes()).collect();
    std::fs::write(&args[2], bytes).unwrap();
}
