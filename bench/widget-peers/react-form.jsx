// A form as a lender would write it by hand: the same eight fields and a code, with the libraries most would reach for.
import { zodResolver } from '@hookform/resolvers/zod'
import { OTPInput } from 'input-otp'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useForm } from 'react-hook-form'
import * as z from 'zod'

const Details = z.object({
  firstName: z.string().min(1),
  lastName: z.string().min(1),
  day: z.string().regex(/^\d{1,2}$/),
  month: z.string().regex(/^\d{1,2}$/),
  year: z.string().regex(/^\d{4}$/),
  mobileNumber: z.string().regex(/^(\+44|0)7\d{9}$/),
  email: z.email().optional(),
  postcode: z.string().regex(/^[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}$/i),
})

function Form() {
  const [step, setStep] = useState('details')
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(Details) })
  if (step === 'code')
    return (
      <form>
        <OTPInput
          maxLength={6}
          render={({ slots }) => slots.map(({ char }, index) => <span key={index}>{char}</span>)}
        />
        <button type="submit">Continue</button>
      </form>
    )
  return (
    <form onSubmit={handleSubmit(() => setStep('code'))} noValidate>
      {Object.keys(Details.shape).map((name) => (
        <label key={name}>
          {name} <input {...register(name)} aria-invalid={Boolean(formState.errors[name])} />
        </label>
      ))}
      <button type="submit">Continue</button>
    </form>
  )
}

createRoot(document.getElementById('form')).render(<Form />)
