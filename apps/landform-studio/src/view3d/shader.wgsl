// The ground, its water and the sky. Metres, x to the east, y up, z to the south; heights are exaggerated
// after they are read. Light is linear until `develop`. The twin on the CPU is landform-view's scene.

struct Frame {
    // From places relative to the eye to the picture.
    matrix: mat4x4<f32>,
    // xyz: where the eye is; w: exaggeration.
    eye: vec4<f32>,
    // Directions of the picture's right and top border, scaled, and of its middle; w of that: 1 where nothing grows.
    right: vec4<f32>,
    up: vec4<f32>,
    forward: vec4<f32>,
    // xy: metres per texel; zw: metres from the first to the last sample.
    ground: vec4<f32>,
    // xy: texels; z: height of the eye over the ground; w: share of a range at which patches begin to slide.
    grid: vec4<f32>,
    // Sea level, lowest and highest land in exaggerated metres; ruggedness, 0 for plains to 1 for mountains.
    zones: vec4<f32>,
    // Direction to the sun; how much of the snow lies, 0 for low land to 1.
    sun: vec4<f32>,
    // Distances at which haze begins and hides two thirds; the longer side; the bottom of the walls.
    air: vec4<f32>,
    // Shading; 1 with a sea; opacity of the overlay; depth at which water hides the floor.
    look: vec4<f32>,
    // Tint of the highest land; depth of the deepest water; metres a pixel covers at distance 1; marked peaks.
    tints: vec4<f32>,
    // xy: where; z: radius.
    peaks: array<vec4<f32>, 16>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var heights: texture_2d<f32>;
@group(0) @binding(2) var slopes: texture_2d<f32>;
@group(0) @binding(3) var light_map: texture_2d<f32>;
@group(0) @binding(4) var grain_map: texture_2d<f32>;
@group(0) @binding(5) var overlay: texture_2d<f32>;
@group(0) @binding(6) var ramps: texture_2d<f32>;
@group(0) @binding(7) var to_border: sampler;
@group(0) @binding(8) var repeating: sampler;

const SUN = vec3<f32>(2.9, 2.55, 2.05);
const SKY = vec3<f32>(0.40, 0.52, 0.74);

// ---------------------------------------------------------------- heights

fn texel(place: vec2<i32>) -> f32 {
    let last = vec2<i32>(frame.grid.xy) - 1;
    return textureLoad(heights, clamp(place, vec2<i32>(0), last), 0).x;
}

// Height in metres between texels.
fn height_at(place: vec2<f32>) -> f32 {
    let low = floor(place);
    let share = place - low;
    let cell = vec2<i32>(low);
    let north = mix(texel(cell), texel(cell + vec2<i32>(1, 0)), share.x);
    let south = mix(texel(cell + vec2<i32>(0, 1)), texel(cell + vec2<i32>(1, 1)), share.x);
    return mix(north, south, share.y);
}

fn on_map(place: vec2<f32>) -> vec2<f32> {
    return (place / frame.ground.xy + 0.5) / frame.grid.xy;
}

// ---------------------------------------------------------------- air

fn veil(direction: vec3<f32>) -> vec3<f32> {
    let near = max(0.5 + 0.5 * dot(direction, frame.sun.xyz), 0.0);
    return mix(vec3<f32>(0.47, 0.62, 0.80), vec3<f32>(0.98, 0.90, 0.78), 0.75 * near * near * near * near);
}

fn grain_at(place: vec2<f32>) -> f32 {
    return (textureSampleLevel(grain_map, repeating, place / 512.0, 0.0).x - 0.5) * 4.0;
}

fn sky(direction: vec3<f32>) -> vec3<f32> {
    let up = max(direction.y, 0.0);
    let high = 1.0 - 1.0 / (1.0 + 5.0 * up);
    var color = mix(veil(direction), vec3<f32>(0.10, 0.27, 0.62), high);
    let place = direction.xz / (up + 0.12);
    let cloud = grain_at(46.0 * place + vec2<f32>(17.0, 91.0))
        + 0.5 * grain_at(150.0 * place + vec2<f32>(0.0, 300.0));
    let cover = smoothstep(0.1, 1.4, cloud) * smoothstep(0.01, 0.12, up);
    color = mix(color, vec3<f32>(1.0), 0.8 * cover);
    // The sun itself, and its glow.
    let facing = max(dot(direction, frame.sun.xyz), 0.0);
    return color + SUN * (0.25 * pow(facing, 90.0) + 6.0 * smoothstep(0.99985, 0.99995, facing));
}

fn haze(color: vec3<f32>, direction: vec3<f32>, distance: f32) -> vec3<f32> {
    let x = max((distance - frame.air.x) / frame.air.y, 0.0);
    let hidden = 1.0 - 1.0 / (1.0 + x * (1.0 + x * (0.5 + 0.2 * x)));
    // Blue light is scattered first.
    let share = hidden * vec3<f32>(0.85 + 0.15 * hidden, 0.93 + 0.07 * hidden, 1.0);
    return mix(color, veil(direction), share);
}

// Linear light as a film shows it (after Narkowicz 2015), as sRGB.
fn develop(light: vec3<f32>) -> vec3<f32> {
    let x = 0.62 * max(light, vec3<f32>(0.0));
    let film = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3<f32>(0.0), vec3<f32>(1.0));
    return to_srgb(film);
}

fn to_srgb(light: vec3<f32>) -> vec3<f32> {
    let low = 12.92 * light;
    let high = 1.055 * pow(max(light, vec3<f32>(0.0031308)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, low, light <= vec3<f32>(0.0031308));
}

// ---------------------------------------------------------------- ground

struct Ground {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,
    // x: 1 on a wall; y: the side of the terrain that it is.
    @location(1) @interpolate(flat) wall: vec2<f32>,
}

@vertex
fn ground_vertex(@location(0) vertex: vec4<u32>, @location(1) tile: vec4<f32>) -> Ground {
    let last = frame.grid.xy - 1.0;
    let line = vec2<f32>(vertex.xy);
    let fixed = min(tile.xy + line * tile.z, last);
    // Towards the end of the range the odd lines slide onto the even ones.
    let away = length(vec3<f32>(fixed * frame.ground.xy - frame.eye.xz, frame.grid.z));
    let slide = clamp((away / tile.w - frame.grid.w) / (1.0 - frame.grid.w), 0.0, 1.0);
    let odd = line - 2.0 * floor(0.5 * line);
    let place = min(tile.xy + (line - odd * slide) * tile.z, last);
    var out: Ground;
    var y = height_at(place) * frame.eye.w;
    out.wall = vec2<f32>(0.0);
    if vertex.z > 0u {
        let side = vertex.w;
        let is_border = (side == 0u && place.y == 0.0) || (side == 1u && place.y == last.y)
            || (side == 2u && place.x == 0.0) || (side == 3u && place.x == last.x);
        if is_border {
            out.wall = vec2<f32>(1.0, f32(side));
            if vertex.z == 2u {
                y = frame.air.w;
            }
        }
    }
    // Ground at the level of the sea is sea: it must not fight with the water for the same pixels.
    if frame.look.y > 0.5 && y <= frame.zones.x {
        y -= 0.002 * frame.air.z;
    }
    let metres = min(place * frame.ground.xy, frame.ground.zw);
    out.place = vec3<f32>(metres.x, y, metres.y);
    out.position = frame.matrix * vec4<f32>(out.place - frame.eye.xyz, 1.0);
    return out;
}

struct Material {
    albedo: vec3<f32>,
    bump: vec2<f32>,
}

// Grass, woods, rock, snow and sand, by height, slope and grain.
fn natural(place: vec3<f32>, slope: vec2<f32>, open: f32, width: f32) -> Material {
    let unit = 1024.0 / frame.air.z;
    let u = place.xz * unit;
    // Finer grain close by, where the coarse one would be blurred.
    let level = log2(max(width * unit, 0.02));
    let coarse = textureSampleLevel(grain_map, repeating, u / 512.0, max(level, 0.0));
    let close = textureSampleLevel(grain_map, repeating, 7.0 * u / 512.0, max(level + 2.8, 0.0));
    let nearness = smoothstep(0.5, -2.0, level);
    let fine = 4.0 * (coarse.x - 0.5) + 0.8 * nearness * (close.x - 0.5);
    let bump = 2.0 * (coarse.yz - 0.5) + nearness * (close.yz - 0.5);
    let broad = grain_at(0.21 * u + vec2<f32>(77.0, 13.0));
    let stand = grain_at(0.55 * u + vec2<f32>(300.0, 210.0));
    let relief = max(frame.zones.z - frame.zones.y, 1e-6);
    let rise = (place.y - frame.zones.y) / relief;
    let steep = length(slope);
    let rugged = frame.zones.w;

    let wild = rise + 0.09 * broad + 0.05 * fine;
    let dry = smoothstep(0.2, 0.7, wild) * (0.4 + 0.6 * rugged);
    // Bare ground has dark and pale soil where woods and meadows would be, and rock of warm colours.
    let barren = frame.forward.w;
    let meadow = mix(vec3<f32>(0.181, 0.198, 0.084), vec3<f32>(0.434, 0.309, 0.195), barren);
    let heath = mix(vec3<f32>(0.287, 0.238, 0.144), vec3<f32>(0.392, 0.231, 0.130), barren);
    let forest = mix(vec3<f32>(0.040, 0.063, 0.028), vec3<f32>(0.258, 0.162, 0.095), barren);
    let rock = mix(vec3<f32>(0.174, 0.144, 0.117), vec3<f32>(0.254, 0.147, 0.089), barren);
    let pale_rock = mix(vec3<f32>(0.328, 0.279, 0.231), vec3<f32>(0.485, 0.371, 0.254), barren);
    var color = mix(meadow, heath, clamp(dry + 0.25 * stand, 0.0, 1.0));
    // Woods in patches, denser in hollows, thinning out towards the tree line.
    let woods = smoothstep(0.0, 0.5, stand + 0.5 * fine + 2.0 * (1.0 - open) - 0.2)
        * (1.0 - smoothstep(0.45, 0.65, wild));
    color = mix(color, forest, 0.85 * woods);
    let stone = mix(rock, pale_rock, smoothstep(-0.8, 1.0, fine + 0.6 * broad));
    var bare = smoothstep(0.62, 0.95, steep + 0.14 * fine + 0.3 * (rise - 0.4));
    bare = min(bare + smoothstep(0.58, 0.80, wild), 1.0) * rugged;
    color = mix(color, stone, bare);
    // Snow lies high, not on walls, and longer in hollows.
    let lies = wild + 0.25 * (1.0 - open) - 0.16 * max(steep - 0.5, 0.0);
    let snow = smoothstep(0.74, 0.84, lies) * (1.0 - smoothstep(1.3, 2.0, steep)) * frame.sun.w;
    color = mix(color, vec3<f32>(0.896, 0.922, 0.956), snow);
    if frame.look.y > 0.5 {
        let over = (place.y - frame.zones.x) / relief;
        let beach = (1.0 - smoothstep(0.004, 0.016, over + 0.004 * fine)) * (1.0 - smoothstep(0.5, 0.9, steep));
        color = mix(color, vec3<f32>(0.672, 0.558, 0.327), beach);
        color = mix(color, vec3<f32>(0.262, 0.323, 0.227), 1.0 - smoothstep(-0.06, -0.01, over));
    }
    let rough = (0.06 + 0.22 * bare + 0.25 * woods) * (1.0 - 0.7 * snow);
    return Material(color * (1.0 + 0.10 * fine + 0.08 * broad), bump * rough);
}

// The tint of the relief map at a height.
fn tint(y: f32) -> vec3<f32> {
    let land = (y - frame.zones.y) / max(frame.zones.z - frame.zones.y, 1e-6) * frame.tints.x;
    if frame.look.y > 0.5 && y < frame.zones.x {
        let share = sqrt(clamp((frame.zones.x - y) / max(frame.tints.y, 1e-6), 0.0, 1.0));
        return textureSampleLevel(ramps, to_border, vec2<f32>(share * (0.5 + 0.5 * share), 0.75), 0.0).xyz;
    }
    return textureSampleLevel(ramps, to_border, vec2<f32>(clamp(land, 0.0, 1.0), 0.25), 0.0).xyz;
}

// Pale where it is level; 45 degrees is dark red, walls are nearly black.
fn slope_tint(steep: f32) -> vec3<f32> {
    let angle = atan(steep / frame.eye.w) / 1.5708;
    let gentle = mix(vec3<f32>(0.86, 0.86, 0.74), vec3<f32>(0.82, 0.50, 0.16), smoothstep(0.0, 0.25, angle));
    let high = mix(gentle, vec3<f32>(0.42, 0.06, 0.05), smoothstep(0.2, 0.5, angle));
    return mix(high, vec3<f32>(0.05, 0.01, 0.05), smoothstep(0.5, 0.9, angle));
}

// Beds of rock in the cut ground at the border of the terrain.
fn beds(place: vec3<f32>, side: f32) -> vec3<f32> {
    let scaled = place / frame.air.z;
    let along = scaled.x + scaled.z;
    let warp = 0.012 * grain_at(vec2<f32>(90.0 * along, 40.0 * scaled.y));
    let bed = grain_at(vec2<f32>(700.0 * (scaled.y + warp), 33.0));
    let grit = grain_at(vec2<f32>(900.0 * along, 900.0 * scaled.y));
    let share = clamp(0.45 + 0.28 * bed + 0.10 * grit, 0.0, 1.0);
    var outward = vec3<f32>(0.0, 0.0, select(1.0, -1.0, side < 0.5));
    if side > 1.5 {
        outward = vec3<f32>(select(1.0, -1.0, side < 2.5), 0.0, 0.0);
    }
    let facing = max(dot(outward, frame.sun.xyz), 0.0);
    let stone = mix(vec3<f32>(0.112, 0.082, 0.061), vec3<f32>(0.292, 0.231, 0.168), share);
    return stone * (0.75 + 1.1 * facing);
}

// Rings around marked peaks, drawn on what was developed.
fn marked(color: vec3<f32>, place: vec2<f32>, width: f32) -> vec3<f32> {
    var out = color;
    let count = i32(frame.tints.w);
    for (var k = 0; k < count; k++) {
        let peak = frame.peaks[k];
        let away = distance(place, peak.xy);
        let inside = 1.0 - smoothstep(peak.z - width, peak.z, away);
        let line = 1.0 - smoothstep(1.0, 2.2, abs(away - peak.z) / width);
        let dark = 1.0 - smoothstep(1.5, 4.0, abs(away - peak.z) / width);
        out = mix(out, vec3<f32>(1.0, 0.25, 0.15), 0.10 * inside);
        out = mix(out, vec3<f32>(0.15, 0.0, 0.0), 0.35 * dark);
        out = mix(out, vec3<f32>(1.0, 0.30, 0.20), line);
    }
    return out;
}

@fragment
fn ground_fragment(in: Ground) -> @location(0) vec4<f32> {
    let uv = on_map(in.place.xz);
    // Before any branch, since the size of a pixel on the map is taken from its neighbours.
    let slope = textureSample(slopes, to_border, uv).xy * frame.eye.w;
    let laid = textureSample(overlay, to_border, uv);
    let light = textureSample(light_map, to_border, uv).xy;
    let from_eye = in.place - frame.eye.xyz;
    let away = length(from_eye);
    let direction = from_eye / away;
    let width = away * frame.tints.z;
    if in.wall.x > 0.5 {
        return vec4<f32>(develop(haze(beds(in.place, in.wall.y), direction, away)), 1.0);
    }
    var material = Material(vec3<f32>(0.0), vec2<f32>(0.0));
    if frame.look.x < 0.5 {
        material = natural(in.place, slope, light.y, width);
    } else if frame.look.x < 1.5 {
        material.albedo = 0.62 * tint(in.place.y);
    } else {
        material.albedo = 0.62 * slope_tint(length(slope));
    }
    material.albedo = mix(material.albedo, laid.xyz * 0.62, laid.w * frame.look.z);
    let tilted = slope + material.bump * (1.0 - laid.w * frame.look.z);
    let normal = normalize(vec3<f32>(-tilted.x, 1.0, -tilted.y));
    let facing = max(dot(normal, frame.sun.xyz), 0.0);
    let sky_share = light.y * (0.6 + 0.4 * normal.y);
    // Sunlit ground around lights what the sky does not see.
    let bounce = 0.16 * (1.0 - light.y) + 0.05;
    let falling = SUN * facing * light.x + SKY * sky_share + SUN * bounce;
    let color = develop(haze(material.albedo * falling, direction, away));
    return vec4<f32>(marked(color, in.place.xz, width), 1.0);
}

// ---------------------------------------------------------------- sky

struct Sky {
    @builtin(position) position: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> Sky {
    let corner = vec2<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    var out: Sky;
    out.position = vec4<f32>(corner, 0.0, 1.0);
    out.direction = frame.forward.xyz + corner.x * frame.right.xyz + corner.y * frame.up.xyz;
    return out;
}

@fragment
fn sky_fragment(in: Sky) -> @location(0) vec4<f32> {
    return vec4<f32>(develop(sky(normalize(in.direction))), 1.0);
}

// ---------------------------------------------------------------- water, or the plain under a terrain without

struct Plane {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,
}

@vertex
fn plane_vertex(@builtin(vertex_index) index: u32) -> Plane {
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let xz = 0.5 * frame.ground.zw + corner * 60.0 * frame.air.z;
    let y = select(frame.air.w, frame.zones.x, frame.look.y > 0.5);
    var out: Plane;
    out.place = vec3<f32>(xz.x, y, xz.y);
    out.position = frame.matrix * vec4<f32>(out.place - frame.eye.xyz, 1.0);
    return out;
}

// Metres beyond the border of the terrain.
fn beyond(place: vec2<f32>) -> f32 {
    return length(max(max(-place, place - frame.ground.zw), vec2<f32>(0.0)));
}

fn mist(place: vec3<f32>) -> vec3<f32> {
    let contact = 1.0 / (1.0 + 40.0 * beyond(place.xz) / frame.air.z);
    return vec3<f32>(0.60, 0.70, 0.80) * (1.0 - 0.5 * contact);
}

// Color, and how much of the floor it hides.
fn water(place: vec3<f32>, direction: vec3<f32>, width: f32) -> vec4<f32> {
    let below = frame.zones.x - height_at(place.xz / frame.ground.xy) * frame.eye.w;
    // Level ground has no depth of its own.
    let depth_here = max(below, 0.0) + select(0.0, 2.0 * frame.look.w, abs(below) < 1e-7 * frame.air.z);
    // Beyond the border, and softly before it, the sea is deep: that hides where the terrain ends.
    let inside = min(min(place.x, frame.ground.z - place.x), min(place.z, frame.ground.w - place.z));
    let edge = 1.0 - smoothstep(0.0, 0.14 * frame.air.z, inside);
    let clear = frame.look.w;
    let depth = depth_here + 8.0 * edge * edge * edge * clear * smoothstep(0.0, clear, depth_here)
        + select(0.0, 1e6, inside < 0.0) * clear;
    let relative = depth / clear;
    let murk = 1.0 - 1.0 / (1.0 + relative * (1.0 + relative));
    // Waves fade with distance, where a pixel holds many.
    let scale = 520.0 / frame.air.z;
    let calm = 1.0 / (1.0 + width * scale * 0.9);
    let at = place.xz * scale * vec2<f32>(1.3, 2.1);
    let wave = textureSampleLevel(grain_map, repeating, at / 512.0, max(log2(max(width * scale * 2.0, 1.0)), 0.0));
    let small = textureSampleLevel(
        grain_map, repeating, at * 5.3 / 512.0, max(log2(max(width * scale * 10.0, 1.0)), 0.0));
    let tilt = calm * (0.14 * (wave.yz - 0.5) + 0.05 * (small.yz - 0.5));
    let body = mix(vec3<f32>(0.14, 0.52, 0.54), vec3<f32>(0.009, 0.059, 0.117), smoothstep(0.0, 0.95, murk));
    let mirrored = normalize(vec3<f32>(direction.x + tilt.x, -direction.y, direction.z + tilt.y));
    let grazing = 1.0 - max(-direction.y, 0.0);
    let fresnel = 0.02 + 0.6 * grazing * grazing * grazing * grazing * grazing;
    let glint = pow(max(dot(mirrored, frame.sun.xyz), 0.0), 220.0) * calm;
    let light = textureSampleLevel(light_map, to_border, on_map(place.xz), 0.0).xy;
    let sunlit = select(light.x, 1.0, inside < 0.0);
    // Shadows are those of the floor, so they fade where it is not seen.
    let lit = body * mix(mix(0.75, 1.0, sunlit), 1.0, smoothstep(0.3, 2.0, relative));
    // A thin line of foam along the shore.
    let foam = (1.0 - smoothstep(0.02, 0.22, relative + 0.10 * (small.x - 0.5))) * smoothstep(0.0, 0.02, relative);
    let reflection = sky(mirrored);
    var color = mix(lit, reflection, fresnel) + 0.6 * SUN * glint * sunlit;
    let hides = max(pow(murk, 0.35), fresnel);
    color = mix(color, vec3<f32>(0.9, 0.95, 0.95) * (0.5 + 0.5 * sunlit), 0.45 * foam);
    return vec4<f32>(color, max(hides, 0.45 * foam));
}

@fragment
fn plane_fragment(in: Plane) -> @location(0) vec4<f32> {
    let from_eye = in.place - frame.eye.xyz;
    let away = length(from_eye);
    let direction = from_eye / away;
    let width = away * frame.tints.z;
    if frame.look.y < 0.5 {
        return vec4<f32>(develop(haze(mist(in.place), direction, away)), 1.0);
    }
    let seen = water(in.place, direction, width);
    let x = max((away - frame.air.x) / frame.air.y, 0.0);
    let hides = mix(seen.w, 1.0, smoothstep(0.5, 3.0, x));
    let color = develop(haze(seen.xyz, direction, away));
    return vec4<f32>(marked(color, in.place.xz, width), hides);
}
