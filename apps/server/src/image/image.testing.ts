import { crc32, deflateSync } from 'node:zlib'

const u32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

/** A PNG of one color. @param seed  another seed makes another file */
export function png(width: number, height: number, seed = 0): Buffer {
  const row = Buffer.alloc(1 + width * 3, 90 + seed)
  row[0] = 0
  const rows = Buffer.concat(Array<Buffer>(height).fill(row))
  const head = Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`seed\0${seed}`)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A form with a file. */
export function createImageForm(bytes: Buffer, name = 'image.png', field = 'file') {
  const payload = Buffer.concat([
    Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ])
  return { payload, headers: { 'content-type': 'multipart/form-data; boundary=x' } }
}
