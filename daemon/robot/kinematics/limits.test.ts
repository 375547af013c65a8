import { expect, test } from 'vitest';
import { bodyYawUnder } from './limits.ts';

const deg = Math.PI / 180;

test.each([
  ['straight on, nothing turns along', 0, 0, 0],
  ['within 65° the body stays', 60, 0, 0],
  ['beyond, it turns along', 90, 0, 25],
  ['the other way too', -90, 0, -25],
  ['a target away from the head is cut short', 0, 120, 65],
  ['the body stops at 160°', 170, 180, 160],
  ['a head turned past its back is near a body that is turned nearly as far', -170, 150, 150],
  ['and the other way round', 170, -150, -150],
  ['with the head right behind, the body goes the nearer way', 180, 30, 115],
])('%s', (_name, headDeg, wantedDeg, givenDeg) => {
  expect(bodyYawUnder(headDeg * deg, wantedDeg * deg) / deg).toBeCloseTo(givenDeg, 9);
});

test('the head is always within 65° of the body and the body within 160° of the foot', () => {
  for (let headDeg = -180; headDeg <= 180; headDeg += 3)
    for (let wantedDeg = -400; wantedDeg <= 400; wantedDeg += 7) {
      const body = bodyYawUnder(headDeg * deg, wantedDeg * deg);
      const between = Math.atan2(Math.sin(headDeg * deg - body), Math.cos(headDeg * deg - body));
      expect(Math.abs(body)).toBeLessThanOrEqual(160.0001 * deg);
      expect(Math.abs(between)).toBeLessThanOrEqual(65.0001 * deg);
    }
});
