/** What came nearest to an expectation of which nothing was found, and how it differs. */
import { formatInstant, type Instant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { fieldAt, matches } from "./conditions.ts";
import { type Candidate, countEvents, eventsLike, type Fields, resourcesIn, type Sought } from "./expected.ts";
import { type Expectation, kindOf } from "./script-schema.ts";
import { type Circumstances, isOfResource, meantBy, soughtBy } from "./sought.ts";

/** Says that nothing was found, and what comes nearest to what was expected. */
export function nothingFound(expected: Expectation, circumstances: Circumstances): string {
  const { world, afterEntry } = circumstances;
  if (isOfResource(expected)) {
    const { kind, id, where } = meantBy(expected);
    return noSuch(kind, nearestIn(unlike(where, resourcesIn(world, kind, id, {})), leastOf(where)));
  }
  const { until, ...meant } = soughtBy(expected, circumstances);
  const sought = { ...meant, until: null, status: null };
  if (kindOf(expected) === "webhook") return noSuchWebhook(world, sought, expected.status);
  // An event that came too late may differ in nothing else.
  const nearest = nearestOf(world, sought, until === null ? leastOf(sought.where) : 0);
  if (nearest !== null) return `it did not come; ${nearest}`;
  const kinds = world.events.kinds(afterEntry);
  return `it did not come; there came ${kinds.length > 0 ? kinds.join(", ") : "nothing"}`;
}

function* unlike(where: Fields, candidates: Iterable<Candidate>): Generator<Told> {
  for (const { id, at, fields } of candidates) yield { id, at, ...unlikeIn(where, fields) };
}

/** Says that there is no such webhook, and which one of the kinds sought comes nearest. */
function noSuchWebhook(world: World, sought: Sought, status: string | undefined): string {
  function* candidates(): Generator<Told> {
    for (const { id, at, fields } of eventsLike(world, sought)) {
      const { words, distance } = unlikeIn(sought.where, fields);
      const { webhook_status: own } = fields;
      const states = status === undefined || status === own ? [] : [`status ${JSON.stringify(own)}`];
      yield { id, at, words: [...states, ...words], distance: distance + states.length };
    }
  }
  const least = status === undefined ? leastOf(sought.where) : 1;
  return noSuch("webhook", nearestIn(candidates(), least));
}

function noSuch(kind: string, nearest: Told | null): string {
  if (!nearest) return `there is no such ${kind}`;
  return `there is no such ${kind}; the nearest, ${nearest.id}, has ${nearest.words.join(", ")}`;
}

/** Which event of the kind comes nearest to what was expected: when it came, and how it differs; null for none. */
function nearestOf(world: World, sought: Sought, least: number): string | null {
  const nearest = nearestIn(unlike(sought.where, eventsLike(world, sought)), least);
  if (!nearest) return null;
  const { count } = countEvents(world, sought, 1);
  const which = count === 1 ? "the one of its kind" : `the nearest of ${count} of its kind`;
  const differs = nearest.words.length === 0 ? "" : ` with ${nearest.words.join(", ")}`;
  return `${which} came at ${formatInstant(nearest.at)}${differs}`;
}

/** How a candidate differs from what was expected, in words, and how much. */
interface Unlike {
  readonly words: readonly string[];
  readonly distance: number;
}

/** The distance of a differing id: it outweighs all other fields, as the candidate is another thing then. */
const OTHER_ID = 1000;

/** The fields of a candidate that do not match, with their values. */
function unlikeIn(where: Fields, fields: Fields): Unlike {
  const names = Object.keys(where).filter((name) => !matches({ [name]: where[name] }, fields));
  const distances = names.map(distanceOf);
  return {
    words: names.map((name) => `${name} ${JSON.stringify(fieldAt(fields, name))}`),
    distance: distances.reduce((sum, distance) => sum + distance, 0),
  };
}

function distanceOf(name: string): number {
  return name.endsWith("_id") ? OTHER_ID : 1;
}

/** The least distance of a candidate that does not match all conditions. */
function leastOf(where: Fields): number {
  return Math.min(...Object.keys(where).map(distanceOf));
}

/** A candidate with its differences. */
interface Told extends Unlike {
  readonly id: string;
  readonly at: Instant;
}

/** The first of the nearest candidates, or null. @param least the least distance possible, which ends the search. */
function nearestIn(candidates: Iterable<Told>, least: number): Told | null {
  let nearest: Told | null = null;
  for (const candidate of candidates) {
    if (nearest && candidate.distance >= nearest.distance) continue;
    nearest = candidate;
    if (nearest.distance <= least) break;
  }
  return nearest;
}
