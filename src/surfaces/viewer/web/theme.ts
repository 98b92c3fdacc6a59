/** Runs before the page is painted, so that the chosen theme is there from the first frame. */

const chosen = (() => {
  try {
    return localStorage.getItem('git-mem-theme');
  } catch {
    return null; // Storage may be unavailable; the system's theme is used then.
  }
})();
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;

// The token is no longer needed: it should not stay in the address bar or in a copied address.
if (new URLSearchParams(location.search).has('token'))
  history.replaceState(null, '', location.pathname + location.hash);
