import type { OwnFamily, Reading, SpecSeries } from './families/family.ts'
import type { Layer } from './layer.ts'
import type { Surroundings } from './surroundings.ts'
import type { SpecTooltip } from './tooltip.ts'

/** One series that stands by itself, by its family. */
export function ownLayer<M>(
  series: SpecSeries,
  family: OwnFamily<M>,
  { tooltip, reading }: { tooltip: SpecTooltip; reading: Reading },
  around: Surroundings,
): Layer {
  const all = family.read(series, reading)
  const shown = around.hidden?.size ? family.without(all, around.hidden) : all
  const marks = typeof around.opened === 'string' ? (family.opened?.(shown, around.opened) ?? shown) : shown
  return {
    series: [family.option(series, marks, around)],
    components: family.components?.(series, marks, around) ?? {},
    legend: family.legend(all),
    isEmpty: family.isEmpty(marks),
    describe: (kind) => family.describe(marks, { kind, tooltip }, around),
    tip: (_, at) => family.tip(marks, at, tooltip, around),
    has: ({ at }) => at < family.size(marks),
    opening: ({ at }) => family.opening?.(marks, at),
    facts: ({ at }) => family.facts(marks, at),
    walk: (from, move) => {
      const at = family.walk(marks, from?.at ?? null, move)
      return at === null ? null : { series: 0, at }
    },
    atOf: (_, target) => family.atOf?.(marks, target) ?? target.dataIndex,
    targetOf: ({ at }) => family.targetOf?.(marks, at, series, around) ?? { dataIndex: at },
  }
}
