import type { StandaloneFamily, ReadContext, SpecSeries } from './families/family.ts'
import type { Layer } from './layer.ts'
import type { RenderContext } from './render-context.ts'
import type { SpecTooltip } from './tooltip.ts'

/** Layer of one standalone series. */
export function buildStandaloneLayer<M>(
  series: SpecSeries,
  family: StandaloneFamily<M>,
  { tooltip, reading }: { tooltip: SpecTooltip; reading: ReadContext },
  around: RenderContext,
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
    tip: (_, index) => family.tip(marks, index, tooltip, around),
    has: ({ at }) => at < family.size(marks),
    opening: ({ at }) => family.opening?.(marks, at),
    facts: ({ at }) => family.facts(marks, at),
    navigate: (from, move) => {
      const at = family.navigate(marks, from?.at ?? null, move)
      return at === null ? null : { series: 0, at }
    },
    fromTarget: (_, target) => family.fromTarget?.(marks, target) ?? target.dataIndex,
    toTarget: ({ at }) => family.toTarget?.(marks, at, series, around) ?? { dataIndex: at },
  }
}
