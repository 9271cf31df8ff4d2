import type { NativeChart, Sheet } from '@parquetry/pictures'
import { escapeXml } from './xml.ts'
import { formatColumn } from '@parquetry/frame/encode'

const drawings = 'http://schemas.openxmlformats.org/drawingml/2006'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Named, because a workbook without a theme has no colors of its own. */
const colors = ['3157CB', 'C77D14', '3A9A62', '8A4FBF', '1C9BD8', 'C4447C', '7A6A5A', '2E6E73', 'A33B20', '6B7280']
const colorAt = (index: number): string =>
  `<a:solidFill><a:srgbClr val="${colors[index % colors.length]}"/></a:solidFill>`

/** Most slices with a color of their own. */
const maxSlices = 200

/** Size of a chart in columns and rows of its sheet. */
const [width, height] = [10, 24]

/** The drawing of a sheet: its chart to the right of the cells. */
export function drawingXml({ frame }: Pick<Sheet, 'frame'>): string {
  const left = frame.columns.length + 1
  const at = (tag: string, column: number, row: number) =>
    `<xdr:${tag}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${tag}>`
  return `<xdr:wsDr xmlns:xdr="${drawings}/spreadsheetDrawing" xmlns:a="${drawings}/main"><xdr:twoCellAnchor>${at('from', left, 1)}${at('to', left + width, 1 + height)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${drawings}/chart"><c:chart xmlns:c="${drawings}/chart" xmlns:r="${relations}" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`
}

/** A chart that reads the cells of its sheet, so that it follows changes there. */
export function chartXml(sheet: Sheet & { chart: NativeChart }): string {
  const { chart } = sheet
  const isRound = chart.kind === 'pie' || chart.kind === 'doughnut'
  const reference = (column: number, from: number, to: number) => {
    const letters = formatColumn(column)
    const cells = from === to ? `$${letters}$${from}` : `$${letters}$${from}:$${letters}$${to}`
    return `<c:f>${escapeXml(`'${sheet.name.replaceAll("'", "''")}'!${cells}`)}</c:f>`
  }
  const last = chart.rows + 1
  const isTime = chart.axis !== 'names'
  const categories = reference(chart.category, 2, last)
  const series = chart.series.map((column, index) => {
    const marker = markerXml(chart.kind, index)
    const points = isRound ? slicesXml(chart.rows) : `<c:spPr>${shapeXml(chart.kind, index)}</c:spPr>`
    const name = `<c:tx><c:strRef>${reference(column, 1, 1)}</c:strRef></c:tx>`
    const values = `<c:numRef>${reference(column, 2, last)}</c:numRef>`
    const data =
      chart.kind === 'scatter'
        ? `<c:xVal><c:numRef>${categories}</c:numRef></c:xVal><c:yVal>${values}</c:yVal><c:smooth val="0"/>`
        : `<c:cat>${isTime ? `<c:numRef>${categories}</c:numRef>` : `<c:strRef>${categories}</c:strRef>`}</c:cat><c:val>${values}</c:val>${chart.kind === 'line' ? '<c:smooth val="0"/>' : ''}`
    return `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>${name}${points}${marker}${data}</c:ser>`
  })
  const title = `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-US" sz="1400" b="1"/><a:t>${escapeXml(chart.title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`
  const hasLegend = isRound || chart.series.length > 1
  const legend = hasLegend ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : ''
  const axes = isRound ? '' : axesXml(chart)
  return `<c:chartSpace xmlns:c="${drawings}/chart" xmlns:a="${drawings}/main" xmlns:r="${relations}"><c:chart>${title}<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>${plotXml(chart, series.join(''))}${axes}</c:plotArea>${legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`
}

function shapeXml(kind: NativeChart['kind'], index: number): string {
  if (kind === 'line') return `<a:ln w="22225" cap="rnd">${colorAt(index)}</a:ln>`
  if (kind === 'scatter') return '<a:ln w="19050"><a:noFill/></a:ln>'
  return colorAt(index)
}

function markerXml(kind: NativeChart['kind'], index: number): string {
  if (kind === 'line') return '<c:marker><c:symbol val="none"/></c:marker>'
  if (kind !== 'scatter') return ''
  return `<c:marker><c:symbol val="circle"/><c:size val="6"/><c:spPr>${colorAt(index)}</c:spPr></c:marker>`
}

const slicesXml = (rows: number): string =>
  Array.from(
    { length: Math.min(rows, maxSlices) },
    (_, index) => `<c:dPt><c:idx val="${index}"/><c:bubble3D val="0"/><c:spPr>${colorAt(index)}</c:spPr></c:dPt>`,
  ).join('')

const axisIds = '<c:axId val="1"/><c:axId val="2"/>'

function plotXml({ kind, isStacked, isHorizontal, series: { length } }: NativeChart, series: string): string {
  const vary = '<c:varyColors val="0"/>'
  const grouping = `<c:grouping val="${isStacked ? 'stacked' : 'standard'}"/>`
  switch (kind) {
    case 'pie':
      return `<c:pieChart><c:varyColors val="1"/>${series}<c:firstSliceAng val="0"/></c:pieChart>`
    case 'doughnut':
      return `<c:doughnutChart><c:varyColors val="1"/>${series}<c:firstSliceAng val="0"/><c:holeSize val="50"/></c:doughnutChart>`
    case 'scatter':
      return `<c:scatterChart><c:scatterStyle val="lineMarker"/>${vary}${series}${axisIds}</c:scatterChart>`
    case 'bar': {
      const overlap = isStacked && length > 1 ? '<c:overlap val="100"/>' : ''
      return `<c:barChart><c:barDir val="${isHorizontal ? 'bar' : 'col'}"/><c:grouping val="${isStacked ? 'stacked' : 'clustered'}"/>${vary}${series}<c:gapWidth val="50"/>${overlap}${axisIds}</c:barChart>`
    }
    case 'area':
      return `<c:areaChart>${grouping}${vary}${series}${axisIds}</c:areaChart>`
    case 'line':
      return `<c:lineChart>${grouping}${vary}${series}<c:marker val="1"/>${axisIds}</c:lineChart>`
  }
}

function axesXml({ kind, isHorizontal, axis: type }: NativeChart): string {
  const [across, up] = isHorizontal && kind === 'bar' ? ['l', 'b'] : ['b', 'l']
  const axis = (id: number, other: number, position: string, middle: string) =>
    `<c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${position}"/>${middle}<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:crossAx val="${other}"/><c:crosses val="autoZero"/>`
  const lines =
    '<c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="D9D9D9"/></a:solidFill></a:ln></c:spPr></c:majorGridlines>'
  const code = { names: '', days: 'yyyy-mm-dd', times: 'yyyy-mm-dd hh:mm' }[type]
  const dates = code === '' ? '' : `<c:numFmt formatCode="${code}" sourceLinked="0"/>`
  const values = `<c:valAx>${axis(2, 1, up, `${lines}<c:numFmt formatCode="General" sourceLinked="1"/>`)}</c:valAx>`
  if (kind === 'scatter') return `<c:valAx>${axis(1, 2, across, dates)}</c:valAx>${values}`
  if (type === 'days')
    return `<c:dateAx>${axis(1, 2, across, dates)}<c:auto val="1"/><c:lblOffset val="100"/></c:dateAx>${values}`
  return `<c:catAx>${axis(1, 2, across, dates)}<c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>${values}`
}
