/**
 * The mark of the project: four digits of a code, the last of which are heard.
 */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="9" />
    <path d="M8 12.5v7M13.3 12.5v7M18.6 9.5v13M24 9.5v13" />
  </svg>
)
