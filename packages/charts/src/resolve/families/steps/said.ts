import type { Surroundings } from '../../surroundings.ts'
import type { Steps } from './marks.ts'

/** What could not be drawn as the rows say, in sentences; empty where all could. */
export const faultsSaid = ({ faults: { nameless = 0, long = 0, rare = 0 } }: Steps, { say }: Surroundings): string =>
  [
    rare > 0 &&
      say(
        'picture.steps.rare',
        '{count, plural, one {# goes a way of its own that is left out.} other {# go ways that are left out, because few go them.}}',
        { count: rare },
      ),
    long > 0 &&
      say(
        'picture.steps.long',
        '{count, plural, one {# goes on after the last step that is drawn.} other {# go on after the last step that is drawn.}}',
        { count: long },
      ),
    nameless > 0 &&
      say(
        'picture.steps.nameless',
        '{count, plural, one {# event belongs to nobody and is left out.} other {# events belong to nobody and are left out.}}',
        { count: nameless },
      ),
  ]
    .filter(Boolean)
    .join(' ')
