import { formatter } from '../../shared/formats/format.ts'
import { toThemeColor } from '../paint.ts'
import type { RenderContext } from '../render-context.ts'
import { describeNegatives } from '../footnote.ts'
import { fullFormat, type SpecTooltip, type TooltipContent, type TooltipRow } from '../tooltip.ts'
import { locateFlowMark, type Flow, type FlowLink } from './marks.ts'

const short = (name: string) => (name.length > 40 ? `${name.slice(0, 40)}…` : name)

/** Sentences about data that could not be drawn; empty if there is none. */
export function describeOmissions(
  { omissions: { negatives, unknown, loops, circles, lonely } }: Flow,
  around: RenderContext,
) {
  const { translate } = around
  const [circle] = circles
  return [
    circle &&
      translate(
        'picture.flow.circles',
        '{count, plural, one {The link from {source} to {target} creates a cycle and is not shown.} other {# links create cycles and are not shown. The first is from {source} to {target}.}}',
        { count: circles.length, source: short(circle.source), target: short(circle.target) },
      ),
    loops.length > 0 &&
      translate(
        'picture.flow.loops',
        '{count, plural, one {The link from {name} to itself is not shown.} other {# links from a node to itself are not shown. The first is at {name}.}}',
        { count: loops.length, name: short(loops[0] ?? '') },
      ),
    describeNegatives(negatives, around),
    unknown > 0 &&
      translate(
        'picture.flow.unknown',
        '{count, plural, one {# link without a value is not shown.} other {# links without a value are not shown.}}',
        { count: unknown },
      ),
    lonely.length > 0 &&
      translate(
        'picture.flow.lonely',
        '{count, plural, one {{name} has no links left.} other {# nodes have no links left. The first is {name}.}}',
        { count: lonely.length, name: short(lonely[0] ?? '') },
      ),
  ]
    .filter(Boolean)
    .join(' ')
}

export const linkName = ({ nodes }: Flow, { source, target }: FlowLink): string =>
  `${nodes[source]?.name ?? ''} → ${nodes[target]?.name ?? ''}`

/** Tooltip of a node with its incoming and outgoing sums, or of a link with its number and its share of both. */
export function buildFlowTooltip(
  flow: Flow,
  index: number,
  { rows: [row] = [] }: SpecTooltip,
  around: RenderContext,
): TooltipContent {
  const { nodes, links, name } = flow
  const { theme, locale, translate } = around
  const write = formatter(fullFormat(row?.format), locale)
  const part = locateFlowMark(flow, index)
  if ('node' in part) {
    const node = nodes[part.node]
    const color = toThemeColor(node?.color ?? '', theme)
    const shareRow = (title: string, number: number): TooltipRow => ({
      name: title,
      color,
      value: write(number),
      share: null,
      number,
      isHovered: true,
    })
    return {
      title: [node?.name, node?.category].filter((text) => text !== undefined).join(', '),
      rows: [
        ...(node?.in.length ? [shareRow(translate('picture.flow.in', 'Incoming'), node.received)] : []),
        ...(node?.out.length ? [shareRow(translate('picture.flow.out', 'Outgoing'), node.sent)] : []),
      ],
      more: 0,
      total: null,
      isOfOne: true,
    }
  }
  const link = links[part.link]
  if (!link) return { title: '', rows: [], more: 0, total: null }
  const [source, target] = [nodes[link.source], nodes[link.target]]
  const color = toThemeColor(source?.color ?? '', theme)
  const share = (of: string | undefined, whole: number | undefined): TooltipRow[] =>
    row?.share && whole !== undefined && whole > 0 && link.value !== null
      ? [
          {
            name: translate('picture.flow.of', 'Share of {name}', { name: of ?? '' }),
            color,
            value: formatter(',.1~%', locale)(link.value / whole),
            share: null,
            number: link.value,
            isHovered: false,
          },
        ]
      : []
  return {
    title: linkName(flow, link),
    rows: [
      { name, color, value: write(link.value), share: null, number: link.value, isHovered: true },
      ...share(source?.name, source?.sent),
      ...share(target?.name, target?.received),
    ],
    more: 0,
    total: null,
    isOfOne: true,
  }
}

/** Describes the number of nodes and links, the largest link, and data that is not drawn. */
export function describeFlow(
  flow: Flow,
  { kind, tooltip }: { kind: string; tooltip: SpecTooltip },
  around: RenderContext,
): string {
  const { nodes, links, name } = flow
  const { translate, locale } = around
  const largest = links.reduce<FlowLink | undefined>(
    (most, link) => ((link.value ?? -Infinity) > (most?.value ?? -Infinity) ? link : most),
    undefined,
  )
  const largestText = largest
    ? translate(
        'picture.describe.flow',
        '{kind} of {names} with {nodes, plural, one {# node} other {# nodes}} and {links, plural, one {# link} other {# links}}. Largest: {largest}, {value}.',
        {
          kind,
          names: name,
          nodes: nodes.length,
          links: links.length,
          largest: linkName(flow, largest),
          value: formatter(fullFormat(tooltip.rows?.[0]?.format), locale)(largest.value),
        },
      )
    : translate('picture.describe.empty', '{kind} with no data.', { kind })
  return [largestText, describeOmissions(flow, around)].filter(Boolean).join(' ')
}
