// What the chunks borrow from the script, so that it is downloaded once. The build reads this file: whatever a chunk imports from the
// files named here it gets from the script, and a name that is missing stops the build.
import { createContext, Fragment, h, render } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { loadChunk } from './chunks.ts'
import { ADDRESS_FIELDS, addressLines, findPostcodeProblems } from './fields/address.ts'
import { toConsumerDetails } from './fields/answers.ts'
import { prefill, refuse } from './fields/field.ts'
import { findMobileProblems, PERSON_FIELDS } from './fields/person.ts'
import { textOf } from './fields/typed.ts'
import { details, send, show, withPerson } from './flow/flow.ts'
import { FormField, Group, TextField } from './form/field.tsx'
import { Form } from './form/form.tsx'
import { useFrame, useWords } from './frame.ts'
import { ownUrl, proxyUrl } from './own-url.ts'
import { Action, Message } from './screens/message.tsx'
import { Waiting } from './screens/waiting.tsx'
import { useSignal } from './signal.ts'
import { addEnglish, createWords, showDay, showMonth, showMonths, showTime } from './strings/words.ts'

/** Made when it is first needed, because some of these files import this one. */
export const runtime = () => ({
  Action,
  ADDRESS_FIELDS,
  addEnglish,
  addressLines,
  createContext,
  createWords,
  details,
  findMobileProblems,
  findPostcodeProblems,
  Form,
  FormField,
  Fragment,
  Group,
  h,
  loadChunk,
  Message,
  ownUrl,
  PERSON_FIELDS,
  prefill,
  proxyUrl,
  refuse,
  render,
  send,
  show,
  showDay,
  showMonth,
  showMonths,
  showTime,
  TextField,
  textOf,
  toConsumerDetails,
  useContext,
  useEffect,
  useFrame,
  useMemo,
  useRef,
  useSignal,
  useState,
  useWords,
  Waiting,
  withPerson,
})
