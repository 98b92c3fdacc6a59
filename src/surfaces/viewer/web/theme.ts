/** Runs before the page is painted. The chosen theme is there from the first frame. */

const chosen = (() => {
  try {
    return localStorage.getItem('git-mem-theme');
  } catch {
    return null; // Storage may be refused; the system's theme is as good.
  }
})();
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;

// The token has done its work: it need not stay in the address bar, nor in what is copied from there.
if (new URLSearchParams(location.search).has('token'))
  history.replaceState(null, '', location.pathname + location.hash);
