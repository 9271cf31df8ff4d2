SELECT `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM `cars`
WHERE LOWER(`Name`) LIKE LOWER(?)
  AND `Origin` <> ?
GROUP BY `Origin`
ORDER BY `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- ["%FORD%","O'Hara; --"]
