import LRU from 'zrender/lib/core/LRU.js'

/**
 * ECharts caches text widths in plain objects by the texts: the label `__proto__` would read the prototype of all objects and
 * write to it. Import this before drawing.
 */
const { get, put } = LRU.prototype
Object.assign(LRU.prototype, {
  get(this: LRU<unknown>, key: string | number): unknown {
    return get.call(this, `:${key}`)
  },
  put(this: LRU<unknown>, key: string | number, value: unknown): unknown {
    return put.call(this, `:${key}`, value)
  },
})
