import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { measureEventLoop } from '@parquetry/testing/processor-time'
import { describe, expect, it } from 'vitest'
import { sanitizeSvg } from './sanitize-svg.ts'
import { fetchImage } from './fetch-image.ts'
import { png } from './image.testing.ts'
import { detectRaster } from './raster.ts'
import { readImage } from './read-image.ts'

const base64 = (text: string) => Buffer.from(text, 'base64')
const gif = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
const lossy = base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')
const lossless = base64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')

/** Header of a JPEG of 300 x 200 with an EXIF orientation. */
const jpeg = (orientation: number) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 34]),
    Buffer.from('Exif\0\0MM\0*', 'latin1'),
    Buffer.from([0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
    Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 200, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9]),
  ])
const box = (type: string, ...data: number[]) =>
  Buffer.concat([Buffer.from([0, 0, 0, data.length + 8]), Buffer.from(type), Buffer.from(data)])
const avif = Buffer.concat([
  box('ftyp', ...Buffer.from('avif'), 0, 0, 0, 0, ...Buffer.from('avifmif1')),
  box('ispe', 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 16),
  box('ispe', 0, 0, 0, 0, 0, 0, 1, 64, 0, 0, 0, 200),
])

describe('image type, detected from its bytes', () => {
  it.each([
    ['PNG', png(40, 30), 'image/png', 40, 30],
    ['GIF', gif, 'image/gif', 1, 1],
    ['WebP', lossy, 'image/webp', 1, 1],
    ['WebP without loss', lossless, 'image/webp', 1, 1],
    ['JPEG', jpeg(1), 'image/jpeg', 300, 200],
    ['JPEG that lies on its side', jpeg(6), 'image/jpeg', 200, 300],
    ['AVIF', avif, 'image/avif', 320, 200],
  ])('%s', (_name, bytes, media_type, width, height) => {
    expect(detectRaster(bytes)).toEqual({ media_type, width, height })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['HTML', Buffer.from('<!doctype html><html><script>alert(1)</script></html>')],
    ['HTML that is well-formed', Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>')],
    [
      'SVG in the space of HTML',
      Buffer.from('<svg xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></svg>'),
    ],
    ['a packed SVG', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj')],
    ['a beginning of a PNG', png(4, 4).subarray(0, 12)],
    ['a PNG of no size', png(0, 4)],
    ['a JPEG without a frame', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4]), Buffer.alloc(40)])],
    ['bytes', Buffer.alloc(100, 7)],
  ])('%s is not an image', async (_name, bytes) => {
    await expect(readImage(bytes)).rejects.toMatchObject({ code: 'unprocessable' })
  })

  it('is refused over 5 MB, or with more pixels than a browser should hold', async () => {
    await expect(readImage(Buffer.concat([png(4, 4), Buffer.alloc(5 << 20)]))).rejects.toMatchObject({
      code: 'too_large',
    })
    const bomb = png(1, 1)
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    await expect(readImage(bomb)).rejects.toThrow('50 million pixels')
  })
})

const space = 'xmlns="http://www.w3.org/2000/svg"'
const link = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
const clean = async (inside: string, attributes = '') =>
  (await sanitizeSvg(`<svg ${space} ${link} ${attributes}>${inside}</svg>`))?.text
    .replace(/^<svg [^>]*>/, '')
    .replace(/<\/svg>$/, '')

describe('an SVG', () => {
  it('keeps its drawing', async () => {
    const drawing = [
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#f00"></stop></linearGradient></defs>',
      '<style>.b { fill: url(#a) } #c &gt; path { mask-image: url("#m") }</style>',
      '<g class="b" transform="scale(2)" style="fill: url(#a); opacity: .5"><path d="M0 0L9 9"></path></g>',
      '<text x="1" xml:space="preserve">Fish &amp; <tspan>Chips &lt;</tspan></text>',
      '<use href="#c" x="3"></use>',
      '<image href="data:image/png;base64,AAAA" width="2"></image>',
    ].join('')
    expect(await clean(drawing)).toBe(drawing)
    expect(await clean('<use xlink:href="#c"/>')).toBe('<use href="#c"></use>')
  })

  it('has its declared size, or else that of its view box', async () => {
    const of = async (attributes: string) => {
      const { width, height } = (await sanitizeSvg(`<svg ${space} ${attributes}/>`)) ?? {}
      return [width, height]
    }
    expect(await of('width="40.4" height="30px" viewBox="0 0 8 6"')).toEqual([40, 30])
    expect(await of('viewBox="0 0 800 600.5"')).toEqual([800, 601])
    expect(await of('width="100%" height="2em"')).toEqual([null, null])
  })

  it.each([
    ['<script>alert(1)</script><g/>', '<g></g>'],
    ['<script href="https://evil.example/x.js"/>', ''],
    ['<g onload="alert(1)" ONCLICK="x()"/>', '<g></g>'],
    ['<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></body></foreignObject>', ''],
    ['<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>', ''],
    ['<a href="javascript:alert(1)" xlink:href="https://evil.example"><path/></a>', '<path></path>'],
    ['<image href="https://evil.example/pixel.png"/>', '<image></image>'],
    ['<image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>', '<image></image>'],
    ['<use href="https://evil.example/x.svg#a"/>', '<use></use>'],
    ['<use href="data:image/svg+xml,x#a"/>', '<use></use>'],
    ['<feImage href="https://evil.example/x.png"/>', ''],
    ['<set attributeName="href" to="javascript:alert(1)"/><animate attributeName="href"/>', ''],
    ['<style>@import url(https://evil.example/x.css); .a { fill: red }</style>', '<style></style>'],
    ['<style>.a { background: url(https://evil.example/x) }</style>', '<style></style>'],
    ['<style>.a { background: u/**/rl(https://evil.example/x) } .b{fill:red}</style>', '<style></style>'],
    [String.raw`<style>.a { background: \75rl(https://evil.example/x) }</style>`, '<style></style>'],
    ['<style><![CDATA[.a { fill: url(//evil.example/x) }]]></style>', '<style></style>'],
    ['<style>.a{} <g></g></style>', '<style>.a{} </style>'],
    ['<g style="fill: url(https://evil.example/x)" fill="url(//evil.example/y#z)"/>', '<g></g>'],
    ['<g fill="url(&quot;https://evil.example/y&quot;)"/>', '<g></g>'],
    ['<metadata><x/></metadata><title>T</title>', '<title>T</title>'],
    ['<g xml:base="https://evil.example/" src="x"/>', '<g></g>'],
    ['<text>&lt;script&gt;</text>', '<text>&lt;script&gt;</text>'],
    ['<g id="&quot;&gt;&lt;script&gt;"/>', '<g id="&quot;&gt;&lt;script&gt;"></g>'],
    ['<?xml-stylesheet href="https://evil.example/x.css"?><!-- <script> --><g/>', '<g></g>'],
  ])('hostile: %s', async (inside, left) => {
    expect(await clean(inside)).toBe(left)
  })

  it('hostile: expanding or broken content is not an image', async () => {
    const laughs = `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg ${space}><text>&b;</text></svg>`
    const file = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg ${space}><text>&x;</text></svg>`
    for (const [what, text] of Object.entries({
      laughs,
      file,
      unclosed: `<svg ${space}><g>`,
      twice: `<svg ${space}/><svg ${space}/>`,
    }))
      expect(await sanitizeSvg(text), what).toBeUndefined()
  })

  it('hostile: too many elements, attributes, levels or repetitions are refused with the limits', async () => {
    const uses = Array.from({ length: 30 }, (_, n) => `<g id="u${n + 1}"><use href="#u${n}"/><use href="#u${n}"/></g>`)
    const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=""`).join(' ')
    for (const [what, text] of Object.entries({
      doubled: `<svg ${space}><path id="u0"/>${uses.join('')}</svg>`,
      itself: `<svg ${space}><g id="a"><use href="#a"/></g></svg>`,
      deep: `<svg ${space}>${'<g>'.repeat(5000)}${'</g>'.repeat(5000)}</svg>`,
      many: `<svg ${space}>${'<g/>'.repeat(60_000)}</svg>`,
      manyUnknown: `<svg ${space}>${'<x/>'.repeat(60_000)}</svg>`,
      manyAttributes: `<svg ${space} ${attributes(500_000)}/>`,
      manyAttributesOfUnknown: `<svg ${space}><x ${attributes(1000)}/></svg>`,
      manyInTotal: `<svg ${space}>${`<g ${attributes(150)}/>`.repeat(2000)}</svg>`,
    }))
      await expect(sanitizeSvg(text), what).rejects.toThrow('may have at most 50,000 elements')
    const shared = `<svg ${space} ${attributes(150)}><path id="u0"/>${'<use href="#u0"/>'.repeat(500)}</svg>`
    expect(await sanitizeSvg(shared)).toBeDefined()
  })

  it('hostile: a large one does not block other requests', async () => {
    const inside = '<g fill="red" style="stroke: url(#a)"><path d="M0 0L1 1"/></g>'.repeat(20_000)
    const { result, longestMs, totalMs } = await measureEventLoop(() => clean(inside))
    expect(result).toBeDefined()
    expect(longestMs).toBeLessThan(250)
    // On a fast machine the whole work takes less than the limit above.
    expect(longestMs).toBeLessThan(totalMs / 3)
  })
})

it('hostile: a server that sends one byte at a time is disconnected at the timeout', async () => {
  const closed = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 20)
    response.once('close', () => {
      clearInterval(drip)
      closed.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const open = { private: true, loopback: true }
  const fetching = fetchImage(`http://127.0.0.1:${port}/`, open, new AbortController().signal, 300)
  await expect(fetching).rejects.toThrow(`Could not reach the server 127.0.0.1:${port}.`)
  await closed.promise
  server.close()
})
