import './preview.css'
