// The changes of MooTools 1.2 to a page's built-in objects, in miniature: native methods replaced by its own, `bind` with another
// meaning, a class of its own called Event, and helpers on every prototype, enumerable as assignments make them.
;(() => {
  const native = window.Array.prototype
  const implement = (target, methods) => {
    for (const name in methods) target.prototype[name] = methods[name]
  }
  window.MooTools = { version: '1.2.6' }
  window.$empty = () => {}
  window.$type = (value) => typeof value
  Array.from = (items) => (items && typeof items === 'object' && 'length' in items ? native.slice.call(items) : [items])
  // MooTools More: a Date where the standard has a number.
  const parse = Date.parse
  Date.parse = (written) => new Date(parse(written))
  window.$each = (items, callback) => native.forEach.call(items, callback)

  implement(Array, {
    every(callback, bound) {
      for (let index = 0; index < this.length; index++)
        if (!callback.call(bound, this[index], index, this)) return false
      return true
    },
    map(callback, bound) {
      const results = []
      for (let index = 0; index < this.length; index++) results[index] = callback.call(bound, this[index], index, this)
      return results
    },
    indexOf(item, from = 0) {
      for (let index = from; index < this.length; index++) if (this[index] === item) return index
      return -1
    },
    contains(item) {
      return this.indexOf(item) !== -1
    },
    extend(items) {
      for (let index = 0; index < items.length; index++) this.push(items[index])
      return this
    },
    getLast() {
      return this.length ? this[this.length - 1] : null
    },
    empty() {
      this.length = 0
      return this
    },
  })
  implement(String, {
    test(pattern) {
      return new RegExp(pattern).test(this)
    },
    contains(text) {
      return this.indexOf(text) > -1
    },
    trim() {
      return this.replace(/^\s+|\s+$/g, '')
    },
  })
  implement(Number, {
    limit(least, most) {
      return Math.min(most, Math.max(least, this))
    },
  })
  implement(Function, {
    extend(properties) {
      for (const name in properties) this[name] = properties[name]
      return this
    },
    // The second argument is an array of arguments, not the first argument.
    bind(bound, values) {
      const method = this
      return function () {
        return method.apply(bound, values === undefined ? arguments : [].concat(values))
      }
    },
    delay(milliseconds, bound, values) {
      return setTimeout(this.bind(bound, values || []), milliseconds)
    },
    run(values, bound) {
      return this.apply(bound, [].concat(values))
    },
  })
  window.Event = function Event(event) {
    this.event = event
  }
  window.Element.prototype.getElement = function (selector) {
    return this.querySelector(selector)
  }
  window.Element.prototype.dispose = function () {
    return this.parentNode ? this.parentNode.removeChild(this) : this
  }
  window.Hash = function Hash() {}
  window.$ = (id) => document.getElementById(id)
  window.$$ = (selector) => document.querySelectorAll(selector)
})()
