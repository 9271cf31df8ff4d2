import { describe as suite, expect, it } from 'vitest'
import type { Encoding } from '@parquetry/model/plan'
import type { Column, Frame } from '../frame.ts'
import { cellAt, buildColumn, buildFrame, createMessageReader, slice, textAt } from '../index.ts'
import { checkCases, createRandom, type Random } from '@parquetry/model/testing/random'
import { randomFrame } from '../testing/random-frame.ts'
import { utf8 } from '../utf8.ts'
import { isFormula } from './csv-text.ts'
import { createEncoder } from './index.ts'
import { writeDouble } from './numbers.ts'
import { Sink } from './sink.ts'

function encodeFrames(encoding: Encoding, frames: readonly Frame[], headings: Record<string, string> = {}): Uint8Array {
  const encoder = createEncoder(encoding)
  const columns = frames[0]!.columns.map(({ name }) => ({ name, heading: headings[name] }))
  const pieces = [...encoder.start(columns), ...frames.flatMap((frame) => encoder.frame(frame)), ...encoder.end()]
  expect(pieces.every(({ length }) => length > 0 && length <= 1 << 20)).toBe(true)
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
const encodeToText = (...given: Parameters<typeof encodeFrames>): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(encodeFrames(...given))
const rowsText = (frame: Frame, times: 'ms' | 'iso' = 'ms') => encodeToText({ as: 'rows', times }, [frame])
const csv = { as: 'csv', escape: true, separator: ',', header: true } as const

const timeColumnOf = (unit: 'date' | 'datetime' | 'zoned', ...values: number[]): Column => ({
  name: unit,
  type: null,
  kind: 'time',
  unit,
  validity: null,
  data: Float64Array.from(values),
})
const decimalOf = (scale: number, ...values: bigint[]): Column => ({
  name: `d${scale}`,
  type: 'DECIMAL',
  kind: 'decimal',
  scale,
  validity: null,
  data: BigInt64Array.from(values),
})
const frameWith = (...columns: Column[]): Frame => ({
  rows: (columns[0] as { data: { length: number } }).data.length,
  columns,
})

/** The same rows in frames of random sizes. */
function cut(frame: Frame, random: Random): Frame[] {
  const frames: Frame[] = []
  for (let start = 0; start < frame.rows;) {
    const end = Math.min(frame.rows, start + 1 + random.int(9))
    frames.push(slice(frame, start, end))
    start = end
  }
  return frames.length ? frames : [frame]
}

suite('rows', () => {
  it('writes JSON that parses back to the cells, however the rows are split into frames', () =>
    checkCases(300, (random) => {
      const frame = randomFrame(random)
      const rows = JSON.parse(encodeToText({ as: 'rows', times: 'ms' }, cut(frame, random))) as Record<
        string,
        unknown
      >[]
      expect(rows.length).toBe(frame.rows)
      rows.forEach((row, index) => {
        expect(Object.keys(row).sort()).toEqual(frame.columns.map(({ name }) => name).sort())
        for (const column of frame.columns) {
          const cell = cellAt(column, index)
          const shown = row[column.name]
          const same = Array.isArray(shown) ? JSON.stringify(shown) : shown
          expect(same, `${column.kind} ${column.name}`).toEqual(
            typeof cell === 'bigint' || column.kind === 'decimal' ? cell && Number(cell) : cell,
          )
        }
      })
    }))

  it('writes whole floats and times with a decimal point, integers without', () => {
    expect(rowsText(buildFrame({ i: [1, -20], f: [39, 0.5], b: [true, null] }))).toBe(
      '[{"i":1,"f":39.0,"b":true},{"i":-20,"f":0.5,"b":null}]',
    )
    expect(rowsText(frameWith(timeColumnOf('datetime', 31_536_000_000, 1582982055678.901, NaN)))).toBe(
      '[{"datetime":31536000000.0},{"datetime":1582982055678.901},{"datetime":null}]',
    )
  })
  it('writes ISO text for SQL Lab, and integers beyond 2^53 as text there', () => {
    const frame = frameWith(
      timeColumnOf('date', -86_400_000),
      timeColumnOf('datetime', 1582982055678.901),
      timeColumnOf('zoned', 0),
    )
    expect(rowsText(frame, 'iso')).toBe(
      '[{"date":"1969-12-31","datetime":"2020-02-29T13:14:15.678901","zoned":"1970-01-01T00:00:00+00:00"}]',
    )
    const big = buildFrame({ b: [9_007_199_254_740_993n], s: [9_007_199_254_740_991n], h: [-(2n ** 90n)] })
    expect(rowsText(big, 'iso')).toBe(
      '[{"b":"9007199254740993","s":9007199254740991,"h":"-1237940039285380274899124224"}]',
    )
    expect(rowsText(big)).toBe('[{"b":9007199254740993,"s":9007199254740991,"h":-1237940039285380274899124224}]')
  })
  it('writes decimals with all digits', () => {
    const frame = frameWith(
      decimalOf(2, 150n, -1n, 1_234_567_890n, 999_999_999_999_999_999n),
      decimalOf(0, 0n, -7n, 10n ** 17n, 1n),
      decimalOf(18, 1n, -(10n ** 18n - 1n), 5n * 10n ** 17n, 0n),
      decimalOf(10, 15n * 10n ** 9n, -1n, 9_007_199_254_740_991n, 0n),
    )
    const expected = Array.from({ length: 4 }, (_, row) =>
      frame.columns.map((column) => `"${column.name}":${textAt(column, row)}`).join(','),
    )
    expect(rowsText(frame)).toBe(`[{${expected.join('},{')}}]`)
    expect(expected[0]).toBe('"d2":1.50,"d0":0,"d18":0.000000000000000001,"d10":1.5000000000')
  })
  it('writes numeric text unquoted when it is a number, otherwise null', () => {
    const column = {
      ...buildColumn(['123456789012345678901234567890.5', 'NaN', '-1', '007'], 'n'),
      numeric: true,
    } as Column
    expect(rowsText({ rows: 4, columns: [column] })).toBe(
      '[{"n":123456789012345678901234567890.5},{"n":null},{"n":-1},{"n":null}]',
    )
  })
  it('quotes keys and texts, keeps the last of duplicate names, and writes an empty list without rows', () => {
    const frame = buildFrame({ 'a"b\n': ['\u0001"\\\n/ü🙂'], x: [1] })
    expect(JSON.parse(rowsText(frame))).toEqual([{ 'a"b\n': '\u0001"\\\n/ü🙂', x: 1 }])
    const twice = { rows: 1, columns: [buildColumn([1], 'n'), buildColumn(['b'], 't'), buildColumn([2], 'n')] }
    expect(rowsText(twice)).toBe('[{"t":"b","n":2}]')
    expect(rowsText(buildFrame({ n: [] }))).toBe('[]')
  })
  it('regression: writes integers that are longer than a piece', () => {
    const long = '7'.repeat(10_000)
    const column = { ...buildColumn([long, '1'], 'n'), numeric: true } as Column
    expect(rowsText({ rows: 2, columns: [column] }, 'iso')).toBe(`[{"n":"${long}"},{"n":1}]`)
  })
  it('uses little memory for a short result', () => {
    const encoder = createEncoder({ as: 'rows', times: 'ms' })
    const pieces = [...encoder.start([{ name: 'n' }]), ...encoder.frame(buildFrame({ n: [1] })), ...encoder.end()]
    expect(pieces.map(({ buffer }) => buffer.byteLength)).toEqual([4096])
  })

  it('sends pieces of bounded size, even for a text of several megabytes', () => {
    const long = `${'x"'.repeat(800_000)}\u0000`
    expect(JSON.parse(rowsText(buildFrame({ a: [long], b: ['y'] })))).toEqual([{ a: long, b: 'y' }])
  })
  it('writes doubles that read back unchanged', () => {
    const random = createRandom(11)
    const sink = new Sink()
    const bits = new DataView(new ArrayBuffer(8))
    for (let round = 0; round < 50_000; round++) {
      bits.setUint32(0, random.int(2 ** 32))
      bits.setUint32(4, random.int(2 ** 32))
      const value = random.pick([
        bits.getFloat64(0),
        random.int(1e9) / 1e4,
        -random.int(1e6) / 100,
        random.int(1e15) / 1e3,
        random() * 10 ** random.int(25),
      ])
      if (!Number.isFinite(value)) continue
      sink.at = 0
      writeDouble(sink, value)
      const text = String.fromCharCode(...sink.bytes.subarray(0, sink.at))
      if (Object.is(Number(text), value) && /[.e]/.test(text) && text.length <= String(value).length + 2) continue
      expect.fail(`${value} was written as ${text}`)
    }
  })
})

suite('CSV', () => {
  it('writes every type of value as recorded', () => {
    const at = (text: string) => Date.parse(`${text}Z`)
    const frame: Frame = {
      rows: 5,
      columns: [
        buildColumn([1, 2, 3, 5, 8], 'i'),
        buildColumn(['plain', "O'Brien", '', '50% off, "quoted"', '=1+1'], 't'),
        buildColumn([true, false, null, false, false], 'b'),
        decimalOf(2, 150n, -1n, 0n, 0n, 300n),
        buildColumn([0.1, null, null, -1e300, 3], 'f'),
        timeColumnOf('date', at('2020-02-29T00:00'), -86_400_000, NaN, at('2038-01-19T00:00'), at('2000-01-03T00:00')),
        timeColumnOf('datetime', 1582982055678.901, -1000, NaN, at('2038-01-19T03:14:08'), at('2000-01-03T00:00')),
      ],
    }
    expect(encodeToText(csv, [frame], { i: 'Number, "i"', f: '-f' })).toBe(
      [
        `"Number, ""i""",t,b,d2,'-f,date,datetime`,
        '1,plain,True,1.50,0.1,2020-02-29,2020-02-29 13:14:15.678901',
        "2,O'Brien,False,-0.01,,1969-12-31,1969-12-31 23:59:59.000000",
        '3,,,0.00,,,',
        '5,"50% off, ""quoted""",False,0.00,-1e+300,2038-01-19,2038-01-19 03:14:08.000000',
        "8,'=1+1,False,3.00,3.0,2000-01-03,2000-01-03 00:00:00.000000",
        '',
      ].join('\n'),
    )
  })
  it('shows a column of midnights as dates, and more precision when later rows need it', () => {
    const frames = [0, 3_600_000, 5, 0].map((value) => frameWith(timeColumnOf('datetime', value)))
    expect(encodeToText(csv, frames)).toBe(
      'datetime\n1970-01-01\n1970-01-01 01:00:00\n1970-01-01 00:00:00.005\n1970-01-01 00:00:00.000\n',
    )
    expect(encodeToText(csv, [frameWith(timeColumnOf('zoned', 0))])).toBe('zoned\n1970-01-01 00:00:00+00:00\n')
  })
  it('neutralizes formulas and leaves negative numbers unchanged', () => {
    const texts = [
      '=1+1',
      '-5',
      '@x',
      ' +a|b',
      '""=1',
      '"=1',
      '-1.2.3',
      '- 5',
      '|',
      '%',
      'a=b',
      '\u00a0=1',
      '-',
      '+1',
      '',
    ]
    const lines = encodeToText({ ...csv, header: false }, [buildFrame({ t: texts, n: texts.map(() => -1) })]).split(
      '\n',
    )
    expect(lines).toEqual([
      "'=1+1,-1",
      '-5,-1',
      "'@x,-1",
      "' +a\\|b,-1",
      '"\'""""=1",-1',
      '"""=1",-1',
      '-1.2.3,-1',
      "'- 5,-1",
      "'\\|,-1",
      "'%,-1",
      'a=b,-1',
      "'\u00a0=1,-1",
      "'-,-1",
      "'+1,-1",
      ',-1',
      '',
    ])
    expect(encodeToText({ ...csv, escape: false }, [buildFrame({ t: ['=1+1'] })])).toBe('t\n=1+1\n')
  })
  it('detects exactly the formulas of the documented rule', () => {
    const random = createRandom(5)
    for (let round = 0; round < 5000; round++) {
      const text = Array.from({ length: random.int(6) }, () => random.pick([...'-@+|=%" \t\n.5a'])).join('')
      const documented = /^(?:""|\s+)[-@+|=%]|^[-@+|=%]/.test(text) && !/^-[0-9.]+$/.test(text)
      const bytes = utf8.encode(text)
      expect(isFormula(bytes, 0, bytes.length), JSON.stringify(text)).toBe(documented)
    }
  })
  it('writes integers of every width, and dates in any order, including years of other lengths than four digits', () => {
    const integers = Array.from({ length: 16 }, (_, power) => 10 ** power).flatMap((one) => [
      one - 1,
      one,
      -one,
      one + 1,
    ])
    const column = { name: 'i', type: null, kind: 'bigint', validity: null } as const
    const lines = encodeToText(csv, [
      { rows: integers.length, columns: [{ ...column, data: BigInt64Array.from(integers, BigInt) }] },
    ])
    expect(lines).toBe(`i\n${integers.join('\n')}\n`)
    const small = integers.filter((value) => Math.abs(value) < 2 ** 31)
    expect(encodeToText(csv, [buildFrame({ i: small })])).toBe(`i\n${small.join('\n')}\n`)
    const [day, late, early] = [0, Date.UTC(12_345, 0, 2), Date.UTC(-5, 11, 31)]
    const days = timeColumnOf('date', day, late, day, early, day, early, late)
    const names = ['1970-01-01', '12345-01-02', '1970-01-01', '-0005-12-31', '1970-01-01', '-0005-12-31', '12345-01-02']
    expect(encodeToText(csv, [frameWith(days)])).toBe(`date\n${names.join('\n')}\n`)
    const clock = timeColumnOf('datetime', -1, 86_399_999, late + 1)
    expect(encodeToText(csv, [frameWith(clock)])).toBe(
      'datetime\n1969-12-31 23:59:59.999\n1970-01-01 23:59:59.999\n12345-01-02 00:00:00.001\n',
    )
  })

  it('writes the same lines for one large frame as for single-row frames', () => {
    const values = {
      zero: [0, -0, -0, null, 0.5, 0.5, NaN, 1e300],
      whole: [2n ** 62n, 2n ** 62n + 1n, null, 7n, 7n, -(2n ** 61n)],
      truth: [true, null, false],
      word: ['a', 'b,c', null, '=1', 'a'],
      list: [[1, 'x,y'], true, null, 5],
      id: Array.from({ length: 5000 }, (_, row) => `${row}${row % 90 ? '' : `"${'long '.repeat(row % 200)}"`}`),
    }
    const row = (index: number) => Object.entries(values).map(([name, all]) => [name, all[index % all.length]] as const)
    const rows = Array.from({ length: 5000 }, (_, index) => row(index))
    const whole = buildFrame(
      Object.fromEntries(Object.keys(values).map((name, index) => [name, rows.map((one) => one[index]![1])])),
    )
    const big = encodeToText({ ...csv, header: false }, [whole])
    const each = rows.map((_, index) => slice(whole, index, index + 1))
    expect(encodeToText({ ...csv, header: false }, each)).toBe(big)
    expect(big.split('\n').slice(0, 4)).toEqual([
      `0.0,4611686018427387904,True,a,"[1,""x,y""]","0"""""`,
      '-0.0,4611686018427387905,,"b,c",True,1',
      '-0.0,,False,,,2',
      ",7,True,'=1,5,3",
    ])
  })
  it('writes tables with more columns than a batch holds, and a text longer than a piece', () => {
    const [rows, names] = [200, Array.from({ length: 1000 }, (_, index) => `c${index}`)]
    const data = Int32Array.from({ length: rows }, (_, row) => row * row)
    const columns = names.map((name): Column => ({ name, kind: 'number', type: null, validity: null, data }))
    const lines = [names, ...Array.from(data, (value) => names.map(() => value))]
    expect(encodeToText(csv, [{ rows, columns }])).toBe(lines.map((line) => `${line.join(',')}\n`).join(''))
    const long = 'é'.repeat(150_000)
    expect(encodeToText(csv, [buildFrame({ a: [long, 'x'], b: [1, 2] })])).toBe(`a,b\n${long},1\nx,2\n`)
    expect(encodeToText(csv, [buildFrame({ a: [long, null] })])).toBe(`a\n${long}\n""\n`)
  })

  it('reads back with any separator', () =>
    checkCases(200, (random) => {
      const frame = randomFrame(random)
      const separator = random.pick([',', ';', '\t', '|'])
      const text = encodeToText({ ...csv, escape: false, separator }, cut(frame, random))
      const lines = frame.rows === 0 ? [] : parseCsv(text, separator)
      expect(lines.length).toBe(frame.rows === 0 ? 0 : frame.rows + 1)
      frame.columns.forEach((column, place) => {
        if (column.kind !== 'string') return
        for (let row = 0; row < frame.rows; row++) expect(lines[row + 1]![place]).toBe(textAt(column, row) ?? '')
      })
    }))

  it('C011: writes the header without rows, and quotes a field that would be an empty line', () => {
    expect(encodeToText(csv, [buildFrame({ a: [], b: [] })])).toBe('a,b\n')
    expect(encodeToText(csv, [buildFrame({ a: ['x', null] })])).toBe('a\nx\n""\n')
  })
})

function parseCsv(text: string, separator: string): string[][] {
  const lines: string[][] = [[]]
  for (let index = 0; index < text.length;) {
    let field = ''
    if (text[index] === '"') {
      for (index++; text[index] !== '"' || text[index + 1] === '"'; index++)
        if ((field += text[index]!) && text[index] === '"') index++
      index++
    } else while (index < text.length && text[index] !== separator && text[index] !== '\n') field += text[index++]!
    lines.at(-1)!.push(field)
    if (text[index++] === '\n') lines.push([])
  }
  return lines.slice(0, -1)
}

it('encodes frames as messages that end with a separate head', () => {
  const frame = buildFrame({ n: [1, 2] })
  const messages = createMessageReader().push(encodeFrames({ as: 'frames' }, [frame, frame]))
  expect(messages.map(({ head, frame: read }) => [head.type, read?.rows])).toEqual([
    ['frame', 2],
    ['frame', 2],
    ['end', undefined],
  ])
})

it('rejects formats that cannot be streamed with a message', () => {
  expect(() => createEncoder({ as: 'xlsx' })).toThrow('cannot be streamed')
})
