import type { Surroundings } from '../../surroundings.ts'
import type { Steps } from './marks.ts'

/** What could not be drawn as the rows say, in sentences; empty where all could. */
export const faultsSaid = ({ faults: { nameless = 0, long = 0, rare = 0 } }: Steps, { say }: Surroundings): string =>
  [
    rare > 0 &&
      say(
        'picture.steps.rare',
        '{count, plural, one {# entity follows a rare path that is not shown.} other {# entities follow rare paths that are not shown.}}',
        { count: rare },
      ),
    long > 0 &&
      say(
        'picture.steps.long',
        '{count, plural, one {# entity continues past the last step shown.} other {# entities continue past the last step shown.}}',
        { count: long },
      ),
    nameless > 0 &&
      say(
        'picture.steps.nameless',
        '{count, plural, one {# event has no entity and is not shown.} other {# events have no entity and are not shown.}}',
        { count: nameless },
      ),
  ]
    .filter(Boolean)
    .join(' ')
