"""The paper's three ways to share water, written from its text alone, and the numbers that the Rust tests compare with.

Alcock (2007), sections 3.2.3 and 4.2.3; the formulas are those in src/erosion/sharing.rs. Plain Python in double precision.
It writes sharing.txt beside itself, or the file that is named:

    python3 crates/landform/tests/reference/sharing.py [FILE]

Each block begins with `sharing border steepness`; the heights after the run and the catchments in m² follow, row by row.
"""

import sys
from pathlib import Path

WIDTH, HEIGHT, SPACING = 13, 11, 10.0
# Ponds amplify rounding: in 12 steps with slow drying, 1.5e-5 m of noise on the ground (the rounding of single precision)
# becomes 1.6e-2 m. With these it stays below 2e-4 m, so that 1e-3 m tells a wrong formula from rounding.
STEPS, RAIN, RAIN_EVERY, EVAPORATION, DRYING = 6, 0.5, 2, 0.1, 0.7
CAPACITY, DEPOSITION, SOFTNESS = 0.8, 0.2, 0.3
FILM = 1e-6 * RAIN
BESIDE = [(di, dj) for dj in (-1, 0, 1) for di in (-1, 0, 1) if (di, dj) != (0, 0)]
INSIDE = [(i, j) for j in range(HEIGHT) for i in range(WIDTH)]


def ground(i, j):
    """Rough ground that falls to the north-west, with pits; whole metres, so that it is the same in every precision."""
    return float(200 + 2 * i + 3 * j + (7 * i * i + 11 * j * j + 5 * i * j) % 23)


def beyond(i, j):
    """The ground beyond an open border goes on with its slope."""
    column, row = min(max(i, 0), WIDTH - 1), min(max(j, 0), HEIGHT - 1)
    height = ground(column, row)
    along = height - ground(2 * column - i, row) if i != column else 0.0
    down = height - ground(column, 2 * row - j) if j != row else 0.0
    return height + along + down


class Run:
    def __init__(self, sharing, border, steepness):
        self.sharing, self.border, self.steepness = sharing, border, steepness
        self.altitude = {v: ground(*v) for v in INSIDE}
        self.water = {v: RAIN for v in INSIDE}
        self.sediment = dict.fromkeys(INSIDE, 0.0)
        self.flow = dict.fromkeys(INSIDE, 0.0)
        self.rained = RAIN

    def level(self, v):
        return self.altitude[v] + self.water[v] if v in self.altitude else beyond(*v)

    def neighbours(self, v):
        around = [(v[0] + di, v[1] + dj) for di, dj in BESIDE]
        return [u for u in around if self.border == "open" or u in self.altitude]

    def falls(self, v):
        return {u: max(0.0, self.level(v) - self.level(u)) for u in self.neighbours(v)}

    def steep(self, v):
        """On square cells a neighbour along an axis counts twice as much as a diagonal one."""
        weight = {u: 1 / 8 if u[0] == v[0] or u[1] == v[1] else 1 / 16 for u in self.neighbours(v)}
        slope = 4 / SPACING * sum(weight[u] * fall for u, fall in self.falls(v).items())
        return 1 - self.steepness + self.steepness * min(1.0, slope)

    def exchange(self, v, leaving, steep):
        """Algorithms 1 and 2: changes the sample, gives the sediment that leaves."""
        capacity = CAPACITY * leaving * steep
        load = self.sediment[v]
        self.water[v] -= leaving
        self.flow[v] += leaving
        if load >= capacity:
            self.altitude[v] += DEPOSITION * (load - capacity)
            self.sediment[v] = (1 - DEPOSITION) * (load - capacity)
            return capacity
        dug = SOFTNESS * (capacity - load)
        self.altitude[v] -= dug
        self.sediment[v] = 0.0
        return load + dug

    def receive(self, u, water, sediment):
        if u in self.altitude:
            self.water[u] += water
            self.sediment[u] += sediment

    def give_in_order(self):
        for v in INSIDE:
            steep = self.steep(v)
            for u in self.neighbours(v):
                leaving = max(0.0, min(self.water[v], self.level(v) - self.level(u)))
                moved = self.exchange(v, leaving, steep)
                if leaving > 0:
                    self.receive(u, leaving, moved)

    def given(self, v):
        """Water for each neighbour."""
        water, falls = self.water[v], self.falls(v)
        if self.sharing == "eighths":
            return {u: min(water, fall) / 8 for u, fall in falls.items()}
        total = sum(falls.values())
        leaving = min(water, max(falls.values()))
        return {u: leaving * fall / total if total > 0 else 0.0 for u, fall in falls.items()}

    def give_at_once(self):
        planned = [(v, self.given(v), self.steep(v)) for v in INSIDE]
        sent = []
        for v, given, steep in planned:
            leaving = sum(given.values())
            moved = self.exchange(v, leaving, steep)
            if leaving > 0:
                sent += [(u, water, moved * water / leaving) for u, water in given.items()]
        for u, water, sediment in sent:
            self.receive(u, water, sediment)

    def run(self):
        for step in range(STEPS + 1000):
            raining = step < STEPS
            if not raining and step % 16 == 0 and max(self.water.values()) <= 0.1 * RAIN:
                break
            falls = RAIN if step + 1 < STEPS and (step + 1) % RAIN_EVERY == 0 else 0.0
            self.rained += falls
            if self.sharing == "in_order":
                self.give_in_order()
            else:
                self.give_at_once()
            kept = 1 - (EVAPORATION if raining else DRYING)
            for v in INSIDE:
                self.water[v] = max(0.0, self.water[v] * kept - FILM) + falls
                if self.sediment[v] < 0.1 * FILM:
                    self.altitude[v] += self.sediment[v]
                    self.sediment[v] = 0.0
        heights = {v: self.altitude[v] + self.sediment[v] for v in INSIDE}
        catchments = {v: self.flow[v] * SPACING**2 / self.rained for v in INSIDE}
        return heights, catchments


def rows(field):
    return [" ".join(f"{field[i, j]:.6f}" for i in range(WIDTH)) for j in range(HEIGHT)]


def main():
    lines = ["ground", *rows({v: ground(*v) for v in INSIDE})]
    for sharing in ("in_order", "proportional", "eighths"):
        for border, steepness in (("closed", 0), ("open", 0.5)):
            heights, catchments = Run(sharing, border, steepness).run()
            lines += [f"{sharing} {border} {steepness}", *rows(heights), *rows(catchments)]
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("sharing.txt")
    file.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
