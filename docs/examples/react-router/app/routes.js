import { index, route } from '@react-router/dev/routes'

export default [index('routes/checkout.jsx'), route('credit-reports/*', 'routes/credit-reports.js')]
