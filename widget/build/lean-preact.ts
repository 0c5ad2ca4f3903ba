// Leaves out of preact what the widget never does: hydration, suspense, portals, classes, error boundaries, inner HTML, style props,
// its hooks for developers' tools, moving in as few steps as possible. Preact's own source is read, not what it publishes built, so that
// each edit below can be understood beside the line it changes.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { minifySync, type Plugin } from 'vite'
import { shortName } from './short-names.ts'

type Edit = [from: string | RegExp, to: string]

const FOLDER = resolve('node_modules/preact')
const ENTRIES: { [name: string]: string } = { preact: 'src/index.js', 'preact/hooks': 'hooks/src/index.js' }

/** Props and elements that preact takes special care of. No screen may use any. */
export const UNUSED_PROPS = [
  'checked',
  'className',
  'colSpan',
  'dangerouslySetInnerHTML',
  'defaultChecked',
  'download',
  'is',
  'list',
  'popover',
  'rowSpan',
  'style',
  'xlinkHref',
]
export const UNUSED_ELEMENTS = ['foreignObject', 'math', 'progress', 'template', 'textarea']

/** Arguments that are the same in every call. */
const constantArguments: Edit = [/,(?:excessDomChildren|isHydrating)(?=,)/g, '']

const EDITS: { [file: string]: Edit[] } = {
  'src/create-element.js': [['if(!original&&options.vnode)options.vnode(vnode);', '']],

  'src/create-context.js': [
    // Nothing is ever skipped because of `shouldComponentUpdate`, so the provider can hear of a new value where an update is announced.
    ['this.shouldComponentUpdate=function', 'this.componentWillUpdate=function'],
    ['c._bits|=COMPONENT_FORCE;', ''],
    ['old.call(c)', 'old()'],
    [/Context\.Consumer=.+?;Context\.Provider=Context\.Consumer\.contextType=Context;/, 'Context.Provider=Context;'],
  ],

  'src/options.js': [[/^.+?;const options=\{_catchError\}/, 'const options={}']],

  'src/render.js': [
    ['if(options._root)options._root(vnode,parentDom);', ''],
    ['commitRoot(commitQueue,parentDom._children,refQueue)', 'commitRoot(commitQueue,refQueue)'],
    ['if(parentDom.nodeType==9){parentDom=parentDom.documentElement}', ''],
    [
      'let isHydrating=vnode&&vnode._flags&MODE_HYDRATE;let oldVNode=isHydrating?NULL:parentDom._children;',
      'let oldVNode=parentDom._children;',
    ],
    ['oldVNode?NULL:parentDom.firstChild?slice.call(parentDom.childNodes):NULL,', ''],
    constantArguments,
  ],

  'src/component.js': [
    [/export function BaseComponent.+?\.prototype\.render=Fragment;/, 'export const BaseComponent=NULL;'],
    ['&&!vnode.props._parentDom?', '?'],
    ['&&!vnode.props._parentDom)', ')'],
    ['if(options.vnode)options.vnode(newVNode);', ''],
    ['commitRoot(commitQueue,newVNode,refQueue)', 'commitRoot(commitQueue,refQueue)'],
    ['oldVNode._flags&MODE_HYDRATE?[oldDom]:NULL,', ''],
    ['oldVNode._flags&MODE_HYDRATE,', ''],
    ['||prevDebounce!=options.debounceRendering){prevDebounce=options.debounceRendering;', '){'],
    ['(prevDebounce||queueMicrotask)', 'queueMicrotask'],
  ],

  'src/diff/props.js': [
    [/if\(name==`style`\).+?\}\}\}\}\}else if\(name\[0\]==`o`/, 'if(name[0]==`o`'],
    ['useCapture=name!=(name=name.replace(CAPTURE_REGEX,`$1`));', ''],
    [',useCapture)', ')'],
    // An attribute of SVG is never a property.
    [/if\(namespace==SVG_NAMESPACE\)\{name=.+?\}else if\(name!=/, 'if(namespace!=SVG_NAMESPACE&&name!='],
    [/name!=`(?:width|height|list|download|rowSpan|colSpan|popover)`&&/g, ''],
    ['name==`popover`&&value==true?``:value', 'value'],
    ['options.event?options.event(e):e', 'e'],
  ],

  'src/diff/children.js': [
    constantArguments,
    ['||oldVNode._flags&REF_DETACHED', ''],
    // A component gets its `ref` as a prop, and no list of text is made of objects.
    [',childVNode._component||newDom,childVNode)', ',newDom)'],
    ['applyRef(oldVNode.ref,NULL,childVNode,oldVNode)', 'applyRef(oldVNode.ref,NULL,oldVNode)'],
    ['||childVNode.constructor===String', ''],
    ['unmount(oldVNode,oldVNode)', 'unmount(oldVNode)'],
    ['if(parentVNode.props._parentDom)return oldDom;', ''],
    // What has moved far is put where it belongs, one by one.
    ['moved=1', 'childVNode._flags|=INSERT_VNODE'],
    [/if\(moved\)\{.+?\}\}\}\}(?=if\(remainingOldChildren\))/, ''],
    ['childVNode._flags|=LIS_CANDIDATE;', ''],
    ['~(INSERT_VNODE|LIS_CANDIDATE)', '~INSERT_VNODE'],
    // There are no comments to step over.
    ['let next=oldDom;while(next&&next.nodeType==8)next=next.nextSibling;if(dom!=next)', 'if(dom!=oldDom)'],
    [/if\(!isMounting&&parentDom\.moveBefore.+?else\{(parentDom\.insertBefore\(dom,oldDom\|\|NULL\))\}/, '$1'],
    [/oldDom=dom\}while\(.+?\);return oldDom\}/, 'return dom.nextSibling}}'],
    [',!oldVNode._original)', ')'],
    [',parentDom,false)', ',parentDom)'],
    [',parentDom,isMounting)', ',parentDom)'],
  ],

  'src/diff/index.js': [
    constantArguments,
    ['if(tmp=options._diff)tmp(newVNode);', ''],
    // The hooks are always there.
    ['if(tmp=options.diffed)tmp(newVNode)', 'options.diffed(newVNode)'],
    ['if(renderHook)renderHook(newVNode)', 'options._render(newVNode)'],
    ['let renderHook=options._render,count=', 'let count='],
    ['if(options._commit)options._commit(root,commitQueue)', 'options._commit(commitQueue)'],
    ['commitRoot(commitQueue,root,refQueue)', 'commitRoot(commitQueue,refQueue)'],
    ['if(options.unmount)options.unmount(vnode)', 'options.unmount(vnode)'],
    // Suspense and hydration
    [/if\(oldVNode\._flags&MODE_SUSPENDED.+?oldDom=excessDomChildren\[0\]\|\|oldDom\}/, ''],
    [/if\(isHydrating\|\|excessDomChildren\)\{if\(e&&e\.then\).+?\}else\{(newVNode\._dom=oldVNode\._dom)\}/, '$1;'],
    ['newVNode._flags&=RESET_MODE;if(resumed)resumed.some(removeNode);', ''],
    [/if\(excessDomChildren\)\{for\(i=0;.+?break\}\}\}/, ''],
    [/if\(isHydrating\)\{if\(options\._hydrationMismatch\).+?excessDomChildren=NULL\}/, '}'],
    ['&&(!isHydrating||dom.data!=newProps)', ''],
    ['(!isHydrating||typeof value==`function`)&&', ''],
    ['excessDomChildren?excessDomChildren[0]:', ''],
    [/if\(!skipRemove&&\(r=vnode\._component\)&&\(r=r\._excess\).+?removeNode\(r\)\}/, ''],
    // Portals
    [/if\(newProps\._parentDom\)\{tmp=oldDom;.+?:NULL\}(?=oldDom=diffChildren)/, ''],
    ['if(newProps._parentDom){newVNode._dom=NULL;oldDom=tmp}', ''],
    ['skipRemove&&!vnode.props._parentDom', 'skipRemove'],
    // Classes
    [/const isClassComponent=.+?tmp\._defaultValue:globalContext;/, ''],
    [
      /if\(isClassComponent\)\{newVNode\._component=c=new newType.+?c\.state=\{\};/,
      'newVNode._component=c={constructor:newType};',
    ],
    [/if\(isClassComponent\)\{if\(!c\._nextState.+?oldState=c\.state;/, ''],
    [
      /if\(!oldVNode\._component\)\{if\(isClassComponent.+?componentContext\)\}(?=if\(newVNode\._original==)/,
      'if(oldVNode._component){',
    ],
    [/\|\|!\(c\._bits&COMPONENT_FORCE\)&&c\.shouldComponentUpdate.+?===false/, ''],
    [/if\(newVNode\._original!=oldVNode\._original\)\{.+?COMPONENT_DIRTY\}/, ''],
    ['newProps,c._nextState,componentContext', 'newProps'],
    [/if\(isClassComponent&&c\.componentDidUpdate\).+?\}\)\}/, ''],
    ['c.context=componentContext;', ''],
    ['c._bits&=~COMPONENT_FORCE;', ''],
    ['count=isClassComponent?25:0', 'count=0'],
    ['c.render(c.props,c.state=c._nextState,c.context)', 'c.constructor(newProps)'],
    [/if\(isClassComponent\)\{EMPTY_ARR.+?c\.state=c\._nextState;/, ''],
    [/if\(isClassComponent&&oldVNode\._component&&c\.getSnapshot.+?\}/, ''],
    ['EMPTY_ARR.push.apply(c._renderCallbacks,c._stateCallbacks);c._stateCallbacks=[];', ''],
    [';c._stateCallbacks=[]}', '}'],
    // Error boundaries: what is thrown is thrown on, and nobody asks where it came from.
    ['refQueue[i++],refQueue[i++],refQueue[i++]', 'refQueue[i++],refQueue[i++]'],
    ['applyRef(ref,value,vnode,owner)', 'applyRef(ref,value,owner)'],
    ['applyRef(r,NULL,parentVNode,vnode)', 'applyRef(r,NULL,vnode)'],
    ['owner._component||owner._dom', 'owner._dom'],
    ['unmount(vnode,parentVNode,skipRemove)', 'unmount(vnode,skipRemove)'],
    ['unmount(r[i],parentVNode,', 'unmount(r[i],'],
    ['cb.call(c)', 'cb()'],
    [/if\(c\._bits&COMPONENT_PENDING_ERROR\)\{.+?\}/, ''],
    [/if\(c\._bits&COMPONENT_PROCESSING_EXCEPTION\)\{.+?\}/, ''],
    ['if(!(e&&e.then))markAsForce(newVNode);options._catchError(e,newVNode,oldVNode)', 'throw e'],
    [/try\{(commitQueue=c\._renderCallbacks;.+?)\}catch\(e\)\{.+?\}(?=\}\)\})/, '$1'],
    [/try\{(if\(typeof ref==`function`\).+?)\}catch\(e\)\{.+?\}/, '$1'],
    [/try\{(r\.componentWillUnmount\(\))\}catch\(e\)\{.+?\}/, '$1'],
    // Elements and props that no screen has
    ['else if(nodeType==`math`)namespace=MATH_NAMESPACE;', ''],
    [',newProps.is?newProps:parentDom)', ')'],
    [/parentDom=nodeType==`template`.+?(?=for\(i in oldProps\))/, ''],
    ['if(i==`dangerouslySetInnerHTML`){oldHtml=value}else ', ''],
    ['else if(i==`dangerouslySetInnerHTML`){newHtml=value}', ''],
    [
      /if\(newHtml\)\{.+?XHTML_NAMESPACE\}diffChildren\(parentDom,(.+?)\);if\(excessDomChildren\).+?\}if\(!isHydrating.+?\{i=`value`;.+?else if\(/,
      'diffChildren(dom,$1);i=`value`;if(',
    ],
    ['(inputValue!==dom[i]||nodeType==`progress`&&!inputValue)', 'inputValue!==dom[i]'],
    ['&&!(i==`value`&&`defaultValue`in newProps)&&!(i==`checked`&&`defaultChecked`in newProps)', ''],
    ['else if(i==`checked`){checked=value}', ''],
    [/i=`checked`;if\(checked!=UNDEFINED.+?\}\}\}return dom/, '}return dom'],
  ],

  'hooks/src/index.js': [
    // The hooks are the only ones to ask for an option.
    [
      'import{options as _options}from"preact";',
      'import{options}from"preact";import{enqueueRender}from"../../src/component";',
    ],
    ['const options=_options;', ''],
    [/let old\w+=options\.\w+;/g, ''],
    [/;?if\(old\w+\)old\w+\([^)]*\);?/g, ';'],
    [/options\._root=.+?\};(?=options\._render)/, ''],
    [/if\(options\._hook\)\{.+?\}/, ''],
    [/getHookState\(currentIndex\+\+,\d+\)/g, 'getHookState()'],
    ['getHookState(index,type){', 'getHookState(){const index=currentIndex++;'],
    [
      /if\(index>=hooks\._list\.length\).+?\}return hooks\._list\[index\]/,
      'return hooks._list[index]||(hooks._list[index]={})',
    ],
    [/(?:let )?currentHook=\d+;/g, ''],
    [/options\._diff=.+?\};/, ''],
    ['!options._skipEffects&&', ''],
    // Only `useState` is used, and drawing once too often does no harm.
    [/export function useState.+?(?=export function useReducer)/, ''],
    ['useReducer(reducer,initialState,init)', 'useState(initialState)'],
    ['hookState._reducer=reducer;', ''],
    ['!init?invokeOrReturn(undefined,initialState):init(initialState)', 'invokeOrReturn(undefined,initialState)'],
    ['hookState._reducer(currentValue,action)', 'invokeOrReturn(currentValue,action)'],
    ['hookState._component.setState({})', 'enqueueRender(hookState._component)'],
    [/if\(!currentComponent\._hasScuFromHooks\).+?\|\|shouldUpdate\}\}(?=\}return hookState\._value)/, ''],
    ['currentComponent.context[', 'currentComponent._globalContext['],
    ['state._context=context;', ''],
    // Errors
    [/if\(errorParent===undefined\).+?s\._passive=errorParent;/, ''],
    ['options._catchError(hasErrored,c._vnode)', 'throw hasErrored'],
    [/try\{(invokeCleanup\(component\))\}catch\(e\)\{.+?\}\)\}/, '$1'],
    [/hooks\._pendingEffects=\[\]\}catch\(e\)\{(hooks\._pendingEffects=\[\]);.+?\}/, '}finally{$1}'],
    ['options._commit=(vnode,commitQueue)', 'options._commit=commitQueue'],
    // Every browser has frames to wait for.
    ['let HAS_RAF=typeof requestAnimationFrame==`function`;', ''],
    ['if(HAS_RAF)cancel', 'cancel'],
    [/if\(HAS_RAF\)\{(.+?)\}/, '$1'],
    [
      '||prevRaf!=options.requestAnimationFrame){prevRaf=options.requestAnimationFrame;(prevRaf||afterNextFrame)',
      '){afterNextFrame',
    ],
  ],
}

export const leanFiles = Object.keys(EDITS)

/** Properties that only preact's own files know. */
const privateName = /\b(?:_{1,2}[a-z]\w*|componentWill\w+|getChildContext)\b/g

export function leanPreact(): Plugin {
  return {
    name: 'lean-preact',
    enforce: 'pre',
    resolveId(source) {
      const entry = ENTRIES[source]
      return entry ? resolve(FOLDER, entry) : null
    },
    load(id) {
      const file = leanFiles.find((name) => id === resolve(FOLDER, name))
      return file ? { code: shortenPrivateNames(leanFile(file)), map: null } : null
    },
  }
}

/** Throws when preact no longer says what an edit changes: a new version has to be looked at again. */
export function makeLean(code: string, edits: Edit[]): string {
  return edits.reduce((lean, [from, to]) => {
    if (typeof from === 'string' ? !lean.includes(from) : lean.search(from) < 0)
      throw new Error(`preact has changed: nothing in it matches ${from}`)
    return typeof from === 'string' ? lean.replaceAll(from, () => to) : lean.replace(from, to)
  }, code)
}

export function leanFile(file: string): string {
  const code = readFileSync(resolve(FOLDER, file), 'utf8')
  const oneLine = { compress: false, mangle: false, codegen: { removeWhitespace: true } }
  return makeLean(minifySync(file, code, oneLine).code, EDITS[file] ?? [])
}

/** Some are put on elements, of which none has a property in capitals alone. */
function shortenPrivateNames(code: string): string {
  return code.replace(privateName, (name) => shortName(privateNames().indexOf(name)))
}

let found: string[] | undefined
function privateNames(): string[] {
  if (found) return found
  const all = leanFiles.flatMap((file) => leanFile(file).match(privateName) ?? [])
  const uses = (name: string) => all.filter((other) => other === name).length
  found = [...new Set(all)].sort((a, b) => uses(b) - uses(a))
  return found
}
