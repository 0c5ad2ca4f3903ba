// The changes of Prototype.js 1.6 and 1.7 to a page's built-in objects, in miniature: `toJSON` on everything (which bends
// JSON.stringify), its own Enumerable methods over the native ones, `$A` for `Array.from`, Function.prototype.bind, a namespace object in place of Event,
// and Element methods that replace the DOM's.
;(() => {
  const extend = (target, source) => {
    for (const name in source) target[name] = source[name]
    return target
  }
  window.Prototype = { Version: '1.6.1', K: (value) => value }
  window.$break = {}
  // Takes one argument: the mapping function of the standard is ignored.
  window.$A = (iterable) => {
    if (!iterable) return []
    const results = new Array(iterable.length || 0)
    for (let index = 0; index < results.length; index++) results[index] = iterable[index]
    return results
  }
  Array.from = window.$A
  window.Class = { create: () => function klass() {} }

  const each = function (iterator, context) {
    for (let index = 0; index < this.length; index++) iterator.call(context, this[index], index)
    return this
  }
  const collect = function (iterator = window.Prototype.K, context = undefined) {
    const results = []
    each.call(this, (value, index) => results.push(iterator.call(context, value, index)))
    return results
  }
  extend(Array.prototype, {
    each,
    _each: each,
    collect,
    map: collect,
    forEach: each,
    include(value) {
      return this.indexOf(value) !== -1
    },
    first() {
      return this[0]
    },
    last() {
      return this[this.length - 1]
    },
    without(...values) {
      return this.filter((value) => !values.includes(value))
    },
    clone() {
      return [].concat(this)
    },
    entries() {
      return window.$A(this)
    },
    inspect() {
      return `[${this.map(String).join(', ')}]`
    },
    toJSON() {
      return `[${this.map((value) => Object.toJSON(value)).join(', ')}]`
    },
  })
  extend(String.prototype, {
    gsub(pattern, replacement) {
      return this.split(pattern).join(replacement)
    },
    strip() {
      return this.replace(/^\s+/, '').replace(/\s+$/, '')
    },
    stripTags() {
      return this.replace(/<\/?[^>]+>/gi, '')
    },
    toJSON() {
      return `"${this}"`
    },
  })
  extend(Number.prototype, {
    toJSON() {
      return isFinite(this) ? this.toString() : 'null'
    },
  })
  Date.prototype.toJSON = function () {
    return `"${this.toISOString()}"`
  }
  Object.extend = extend
  Object.toJSON = (value) => (value?.toJSON ? value.toJSON() : String(value))
  Object.keys = (object) => {
    const keys = []
    for (const key in object) keys.push(key)
    return keys
  }
  extend(Function.prototype, {
    bind(context, ...first) {
      return (...rest) => this.apply(context, first.concat(rest))
    },
    delay(seconds, ...values) {
      return window.setTimeout(() => this.apply(this, values), seconds * 1000)
    },
    wrap(wrapper) {
      const method = this
      return function (...values) {
        return wrapper.apply(this, [method.bind(this)].concat(values))
      }
    },
    argumentNames: () => [],
  })
  window.Event = extend(function Event() {}, { KEY_TAB: 9, observe() {}, stop() {}, element: () => null })
  Element.prototype.remove = function () {
    this.parentNode.removeChild(this)
    return this
  }
  Element.prototype.update = function (content) {
    this.innerHTML = content
    return this
  }
  window.$ = (id) => document.getElementById(id)
  window.$A = (list) => Array.prototype.slice.call(list)
})()
