SELECT `Origin` AS `Origin`,
       AVG(`Horsepower`) AS `avg_hp`,
       MAX(`Year`) -- newest
 AS `newest "car"`
FROM `cars`
GROUP BY `Origin`
ORDER BY `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- []
